#include "actors/master/host_hooks.hpp"

#include "actors/support.hpp"
#include "core/text/names.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t most_output = 64 * 1024;
constexpr const char* the_master = "(master)"; // no host has such a name

// No shell reads a word of the site: it comes behind this, which looks at the file as the master does.
const std::vector<std::string> trusted{
    "/bin/sh", "-c",
    "facts=$(/usr/bin/stat -Lc '%u %A' -- \"$0\") || exit 126; "
    "case $facts in '0 '*|\"$(/usr/bin/id -u) \"*) ;; "
    "*) echo \"$0 belongs neither to root nor to $(/usr/bin/id -un)\" >&2; exit 126;; esac; "
    "case $facts in *' -'????w????|*' -'???????w?) "
    "echo \"$0 may be written by others\" >&2; exit 126;; esac; exec \"$0\" \"$@\""};

Attempt attempt_of(const RunHook& hook) { return {{}, 0, hook.sequence}; }

// A task without a job, which has a part on the host.
session::Launch part_for(const RunHook& hook, const WarrantSigner& signer) {
  const auto& master = signer.master();
  session::Launch order;
  order.attempt = attempt_of(hook);
  order.job.owner.user = hook.user, order.job.owner.uid = hook.uid;
  auto& task = order.job.tasks.emplace_back();
  const InstanceName instance{"hook", signer.host()};
  task.attempt = hook.sequence, task.grants = {{instance, 1}};
  order.parts.resize(2);
  order.parts[0].host = the_master;
  order.parts[1].host = signer.host(), order.parts[1].instance = instance;
  order.parts[1].slots = 1, order.parts[1].tmpdir = "/tmp";
  order.cell = master.identity->cell;
  order.control_slaves = true;
  order.credential.content = encode(session::Credential{master.store_id,
                                                        master.term,
                                                        order.attempt,
                                                        hook.user,
                                                        hook.uid,
                                                        {},
                                                        0,
                                                        "",
                                                        Instant::never()});
  return order;
}

Warrant warrant_of(const RunHook& hook, const WarrantSigner& signer) {
  Warrant warrant;
  warrant.host = signer.host(), warrant.attempt = attempt_of(hook);
  warrant.user = hook.user, warrant.uid = hook.uid;
  warrant.tmpdir = "/tmp", warrant.task_name = "hook." + std::to_string(hook.sequence);
  warrant.first_host = the_master;
  warrant.first_key = to_hex(signer.master().identity->key.public_key());
  warrant.control_slaves = true;
  warrant.order.job.directory = "/";
  return warrant;
}

session::PeerStart start_of(const RunHook& hook, const WarrantSigner& signer) {
  session::PeerStart start;
  start.call = hook.sequence, start.attempt = attempt_of(hook);
  start.command = trusted;
  start.command.insert(start.command.end(), hook.run.words.begin(), hook.run.words.end());
  start.environment = hook.run.environment;
  start.directory = "/";
  start.input = true;
  start.proof.content = signer.master().identity->key.sign(
      print_call({signer.host(), start.attempt, start.call, start.command, start.environment,
                  start.directory, start.input}));
  return start;
}

std::string failure_of(const std::string& program, const ExitRecord& record) {
  if (record.failed != failed::none) return record.reason;
  if (record.exit_status == 0) return "";
  return program + " exited with " + std::to_string(record.exit_status);
}

} // namespace

HookRan hook_ran(std::int64_t sequence, HookOutcome outcome) {
  constexpr std::size_t longest_said = 200; // characters: people read it
  const auto first = outcome.errors.substr(0, outcome.errors.find('\n'));
  return {sequence, std::move(outcome.failure), std::move(outcome.output),
          excerpt(first, longest_said)};
}

void HostHooks::open(SessionActor session, const session::Register& list) {
  close();
  session_ = std::move(session), is_able_ = list.runs_hooks;
}

void HostHooks::close() {
  session_ = SessionActor();
  while (!running_.empty())
    end(running_.begin()->first, "host " + signer_.host() + " was lost while it ran");
}

bool HostHooks::start(const RunHook& hook, Promise promise) {
  const auto sequence = hook.sequence;
  running_[sequence] = {hook, std::move(promise), {}};
  if (!session_) end(sequence, "host " + signer_.host() + " cannot be reached");
  else if (!is_able_) end(sequence, "the agent on " + signer_.host() + " is too old to run hooks");
  else send_orders(hook);
  return running_.contains(sequence);
}

void HostHooks::send_orders(const RunHook& hook) {
  auto order = signer_.sign(part_for(hook, signer_), warrant_of(hook, signer_));
  if (const auto* failure = std::get_if<WarrantSigner::Failure>(&order))
    return end(hook.sequence, failure->why);
  say(std::get<session::Launch>(std::move(order)));
  say(start_of(hook, signer_));
  session::PeerInput input;
  input.call = hook.sequence, input.content.content = hook.run.input, input.end = true;
  say(std::move(input));
}

void HostHooks::overdue(std::int64_t sequence) {
  const auto found = running_.find(sequence);
  if (found != running_.end())
    end(sequence, found->second.hook.run.words.front() + " took too long");
}

bool HostHooks::hear(const session::Message& message) {
  if (const auto* report = std::get_if<session::TaskReport>(&message)) {
    if (report->attempt.job) return false;
    take(*report);
  } else if (const auto* output = std::get_if<session::PeerOutput>(&message)) take(*output);
  else if (const auto* ended = std::get_if<session::PeerEnded>(&message)) take(*ended);
  else return false;
  return true;
}

// Of the part: it could not be prepared, or was ended.
void HostHooks::take(const session::TaskReport& report) {
  const auto sequence = report.attempt.attempt;
  if (!running_.contains(sequence)) return say(session::Forget{report.attempt});
  if (report.phase == session::TaskPhase::ended) end(sequence, report.record.reason);
}

void HostHooks::take(const session::PeerOutput& output) {
  const auto found = running_.find(output.call);
  if (found == running_.end()) return;
  const auto& content = output.content.content;
  auto& outcome = found->second.outcome;
  const auto kept = content.substr(0, most_output - outcome.output.size());
  outcome.output += kept;
  if (output.error) outcome.errors += kept;
  session::PeerInput taken;
  taken.call = output.call, taken.taken = static_cast<std::int64_t>(content.size());
  if (taken.taken > 0) say(std::move(taken));
}

void HostHooks::take(const session::PeerEnded& ended) {
  const auto found = running_.find(ended.call);
  if (found != running_.end())
    end(ended.call, failure_of(found->second.hook.run.words.front(), ended.record));
}

// The agent forgets the part, and ends what still runs of it.
void HostHooks::end(std::int64_t sequence, const std::string& failure) {
  auto ended = std::move(running_.extract(sequence).mapped());
  if (session_) say(session::Forget{attempt_of(ended.hook)});
  ended.outcome.failure = failure;
  ended.promise.deliver(hook_ran(sequence, std::move(ended.outcome)));
}

void HostHooks::say(session::Message message) const {
  if (session_) caf::anon_send(session_, Say{std::move(message)});
}

} // namespace almanac
