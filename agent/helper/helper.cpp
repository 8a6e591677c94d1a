#include "agent/helper/helper.hpp"

#include "actors/trust/keyring.hpp"
#include "agent/helper/pseudo_terminal.hpp"
#include "agent/shepherd/shepherd.hpp"
#include "core/job/exit_record.hpp"
#include "core/text/words.hpp"
#include "schema/sensor_order.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

constexpr const char* gone = "removed-"; // a folder that goes gets another name first
constexpr const char* too_late =
    "the warrant is too old, or for the agent as it was before it was started again";

Helper::Answer refused(const std::string& why, std::int64_t failed = failed::before_job,
                       bool user_fault = false) {
  HelperReply reply;
  reply.refusal = why, reply.failed = failed, reply.user_fault = user_fault;
  return {reply, {}};
}

std::string trouble(const std::string& what, const std::string& path) {
  return "can't " + what + " in " + path + ": " + std::strerror(errno);
}

void add(Helper::Answer& answer, const char* what, int file) {
  if (file >= 0) answer.reply.files.push_back(what), answer.files.push_back(file);
}

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned from = 3;
  for (const int file : kept) {
    if (static_cast<unsigned>(file) > from) ::close_range(from, static_cast<unsigned>(file) - 1, 0);
    from = static_cast<unsigned>(file) + 1;
  }
  ::close_range(from, ~0U, 0);
}

} // namespace

Helper::Helper(HelperSettings settings, TaskPlaces places, int spool,
               std::function<void(const std::string& folder)> on_fork)
    : settings_(std::move(settings)),
      places_(std::move(places)),
      spool_(spool),
      on_fork_(std::move(on_fork)),
      orders_(places_, settings_.cell, settings_.host, settings_.directory, settings_.binaries,
              settings_.min_uid, settings_.own_uid),
      sensors_(std::make_unique<SensorProcesses>(
          SensorProcesses::Place{settings_.sensor_user, settings_.directory, settings_.cell})) {}

Helper::Answer Helper::answer(const std::string& text) {
  auto request = parse_fields<HelperRequest>(text, request_format, "the request");
  return request ? answer(*request) : refused(request.what());
}

Helper::Answer Helper::answer(const HelperRequest& request) {
  removals_.go_on();
  auto answer = answer_to(request);
  answer.reply.nonce.content = nonce();
  return answer;
}

Helper::Answer Helper::answer_to(const HelperRequest& request) {
  switch (request.verb) {
  case HelperVerb::prepare: return prepare(request);
  case HelperVerb::launch: return request.call == 0 ? launch(request) : launch_call(request);
  case HelperVerb::control: return control(request);
  case HelperVerb::remove: return remove(request.attempt);
  case HelperVerb::adopt: return adopt(request);
  case HelperVerb::prolong: return prolong(request);
  case HelperVerb::sense: return sense(request);
  case HelperVerb::none: break;
  }
  return refused("the request has no verb");
}

// ---- prepare ------------------------------------------------------------------------------------

Result<Warrant> Helper::opened(const HelperRequest& request) const {
  const auto& bytes = request.warrant.content;
  if (!verify_signature(settings_.master_key, warrant_label + bytes, request.signature.content))
    return Error{"the warrant was not signed by the master of this cell"};
  auto warrant = parse_warrant(bytes);
  if (!warrant) return warrant;
  if (warrant->host != settings_.host) return Error{"the warrant is for the host " + warrant->host};
  return warrant;
}

Result<Warrant> Helper::unused(const HelperRequest& request) const {
  auto warrant = opened(request);
  if (!warrant) return warrant;
  if (std::pair(warrant->term, warrant->number) <= last_)
    return Error{"warrant " + std::to_string(warrant->number) + " was used before"};
  const auto& script = request.script.content;
  if (warrant->script_sha256 != (script.empty() ? "" : sha256(script)))
    return Error{"the warrant is for another script"};
  return warrant;
}

Helper::Answer Helper::prepare(const HelperRequest& request) {
  auto warrant = unused(request);
  if (!warrant) return refused(warrant.what());
  const auto until = nonces_.good_until(warrant->nonce.content, settings_.clock());
  if (!until) return refused(too_late, failed::rescheduled); // nobody's fault
  last_ = {warrant->term, warrant->number};
  const auto name = TaskPlaces::name(warrant->attempt);
  auto user = orders_.user_facts(*warrant);
  if (!user) return refused(user.what(), failed::before_job, true);
  if (::mkdirat(spool_, name.c_str(), 0700) != 0)
    return refused(errno == EEXIST ? "task " + name + " was here before"
                                   : trouble("make a folder", places_.spool));
  auto& known = known_[warrant->attempt] = {std::move(*warrant), std::move(*user)};
  if (auto made = lay_out(TaskFolder(spool_, name), request, known); !made)
    return refused(made.what());
  if (known.warrant.first_host == settings_.host) known.until = *until;
  return {};
}

// The script is for the job's user alone.
Outcome Helper::lay_out(const TaskFolder& folder, const HelperRequest& request,
                        Known& known) const {
  const auto& warrant = known.warrant;
  const UserIds owner{static_cast<uid_t>(known.user.uid), static_cast<gid_t>(known.user.gid), {}};
  auto tmpdir = make_temporary_folder(orders_.tmpdir_of(warrant), owner);
  if (!tmpdir) return tmpdir.error();
  known.tmpdir = std::move(*tmpdir);
  Outcome made = Done{};
  if (warrant.has_script) {
    made = folder.write("script", request.script.content, 0500);
    if (made) made = folder.give("script", owner);
  }
  if (made && !warrant.pe_hostfile.empty())
    made = folder.write("pe_hostfile", warrant.pe_hostfile, 0644);
  return made ? folder.finish() : made;
}

// ---- launch -------------------------------------------------------------------------------------

Helper::Answer Helper::launch(const HelperRequest& request) {
  const auto name = TaskPlaces::name(request.attempt);
  const auto task = known_.find(request.attempt);
  const auto until = task == known_.end() ? 0 : std::exchange(task->second.until, 0);
  if (until == 0) return refused("task " + name + " is not to be launched");
  if (settings_.clock() >= until) return refused(too_late, failed::rescheduled);
  auto order = orders_.for_job(task->second.warrant, task->second.user);
  if (!task->second.warrant.control_slaves) task->second.warrant.order = {}; // told once
  if (!order) return refused(order.what(), failed::before_prolog);
  if (auto sound = check_shepherd_order(*order); !sound)
    return refused(sound.what(), failed::before_prolog, true);
  const auto path = places_.spool + "/" + name;
  const TaskFolder folder(spool_, name);
  if (order->interaction == Interaction::none) return start(path, folder, *order);
  return start_interactive(path, folder, std::move(*order), request);
}

// Its streams are pipes of the task's folder or a pseudo terminal: the other half has the far ends.
Helper::Answer Helper::start_interactive(const std::string& path, const TaskFolder& folder,
                                         ShepherdOrder order, const HelperRequest& request) {
  const auto& user = known_.at(request.attempt).user;
  if (order.interaction == Interaction::terminal) {
    auto terminal = PseudoTerminal::open(usable(request.terminal), ids_of(user));
    if (!terminal) return refused(terminal.what(), failed::before_prolog);
    order.input = order.output.path = order.error.path = terminal->path();
    order.output.name.clear(), order.error.name.clear();
    auto answer = start(path, folder, order);
    if (answer.reply.refusal.empty()) add(answer, "terminal", terminal->release());
    return answer;
  }
  if (auto made = orders_.add_pipes(order, path, request.input, user); !made)
    return refused(made.what(), failed::before_prolog);
  return start_with_pipes(path, folder, order);
}

Helper::Answer Helper::start_with_pipes(const std::string& path, const TaskFolder& folder,
                                        const ShepherdOrder& order) {
  const auto pipe = [&](const char* end, int flags) {
    return folder.has(end) ? folder.open(end, flags | O_NONBLOCK) : -1;
  };
  const int output = pipe("output", O_RDONLY), error = pipe("error", O_RDONLY),
            input = pipe("input", O_RDWR);
  auto answer = start(path, folder, order);
  if (answer.reply.refusal.empty())
    add(answer, "output", output), add(answer, "error", error), add(answer, "input", input);
  else
    for (const int file : {output, error, input})
      if (file >= 0) ::close(file);
  return answer;
}

// What is run is the word of the agent of the task's first host. The task is the master's word:
// whom it is of, that it may have more processes here, and which is that agent's key.
Helper::Answer Helper::launch_call(const HelperRequest& request) {
  const auto name = TaskPlaces::name(request.attempt);
  const auto task = known_.find(request.attempt);
  if (task == known_.end()) return refused("task " + name + " is not here");
  const auto& warrant = task->second.warrant;
  if (!warrant.control_slaves || request.call < 1)
    return refused("task " + name + " may have no processes beside its own");
  CallOrder call{settings_.host,      request.attempt,   request.call, request.words,
                 request.environment, request.directory, request.input};
  const auto key = from_hex(warrant.first_key);
  if (!key || !verify_signature(*key, print_call(call), request.signature.content))
    return refused("the process was not ordered by the agent of " + warrant.first_host);
  // Nobody has typed the words of a hook, and names that users gave are among them.
  if (*key == settings_.master_key)
    for (auto& word : call.words) word = shell_quoted(word);
  const auto user = orders_.user_facts(warrant);
  if (!user) return refused(user.what(), failed::before_job, true);
  const auto calls = places_.spool + "/" + name + "/calls/";
  const auto path = calls + std::to_string(call.number);
  ::mkdir(calls.c_str(), 0711);
  // The folder stays as long as the task's.
  if (::mkdir(path.c_str(), 0711) != 0)
    return refused(errno == EEXIST ? "process " + std::to_string(call.number) + " of task " + name +
                                         " was ordered before"
                                   : trouble("make a folder", calls));
  const TaskFolder folder(spool_, name, call.number);
  auto order = orders_.for_call(warrant, *user, call, path);
  if (!order) return refused(order.what());
  if (auto sound = check_shepherd_order(*order); !sound) return refused(sound.what());
  return start_with_pipes(path, folder, *order);
}

// The control socket listens before the shepherd is there: a connection can't come too early.
Helper::Answer Helper::start(const std::string& path, const TaskFolder& folder,
                             const ShepherdOrder& order) {
  const int progress = folder.open("progress", O_WRONLY | O_CREAT | O_APPEND);
  if (progress < 0) return refused(trouble("write progress", path), failed::shepherd);
  const int listening = folder.listen();
  Answer answer;
  if (listening < 0) answer = refused(trouble("make the control socket", path), failed::shepherd);
  else {
    add(answer, "connection", folder.connect());
    add(answer, "progress", folder.open("progress", O_RDONLY));
    const auto child = ::fork();
    if (child == 0) {
      become_shepherd(path, order, listening, progress);
      ::_exit(0);
    }
    if (child < 0) {
      for (const int file : answer.files) ::close(file);
      answer = refused(trouble("fork", path), failed::shepherd);
    }
    ::close(listening);
  }
  ::close(progress);
  return answer;
}

void Helper::become_shepherd(const std::string& path, const ShepherdOrder& order, int control,
                             int progress) const {
  const int log = ::openat(spool_, "shepherd.log",
                           O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const auto& [file, as] : {std::pair(nothing, 0), {nothing, 1}, {log, 2}})
    if (file >= 0) ::dup2(file, as);
  close_all_but({control, progress});
  ::setsid();
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_NAME, "almanac-shepherd");
  if (on_fork_) on_fork_(path);
  run_shepherd(path, order, control, progress);
}

// ---- of what was launched -----------------------------------------------------------------------

std::string Helper::cgroup_of(const Attempt& attempt, std::int64_t call) const {
  const auto cgroup = orders_.cgroup_of(attempt);
  return cgroup.empty() || call == 0 ? cgroup : cgroup + "-" + std::to_string(call);
}

Helper::Answer Helper::control(const HelperRequest& request) {
  const TaskFolder folder(spool_, TaskPlaces::name(request.attempt), request.call);
  if (!folder.is_open()) return refused("there is no such task");
  const int shepherd = folder.connect();
  const auto& command = request.command;
  Answer answer;
  if (command == "end") {
    if (shepherd >= 0) answer = refused("its shepherd is there");
    else {
      end_leftovers(cgroup_of(request.attempt, request.call), orders_.marker_of(request.attempt));
      const auto progress = folder.read("progress");
      if (progress && dead_.has(*progress)) answer.reply.failed = failed::by_signal;
    }
  } else if (command.size() != 1 || std::string_view("kmscht").find(command) == command.npos)
    answer = refused("a shepherd knows no \"" + command.substr(0, 20) + "\"");
  else if (shepherd < 0 || ::send(shepherd, command.data(), 1, MSG_NOSIGNAL) != 1)
    answer = refused("its shepherd does not listen");
  if (shepherd >= 0) ::close(shepherd);
  return answer;
}

Helper::Answer Helper::prolong(const HelperRequest& request) {
  const auto& bytes = request.warrant.content;
  if (!verify_signature(settings_.master_key, limit_label + bytes, request.signature.content))
    return refused("the limit was not signed by the master of this cell");
  const auto warrant = parse_limit(bytes);
  if (!warrant) return refused(warrant.what());
  if (warrant->host != settings_.host || warrant->attempt != request.attempt)
    return refused("the limit is for another task");
  const std::pair number{warrant->term, warrant->number};
  if (number <= last_) return refused("the limit was used before");
  if (!nonces_.good_until(warrant->nonce.content, settings_.clock())) return refused(too_late);
  last_ = number;
  const TaskFolder folder(spool_, TaskPlaces::name(request.attempt));
  if (!folder.is_open()) return refused("there is no such task");
  if (auto kept = folder.rewrite("limit", std::to_string(warrant->limit) + "\n", 0600); !kept)
    return refused(kept.what());
  const int shepherd = folder.connect();
  const bool heard = shepherd >= 0 && ::send(shepherd, "l", 1, MSG_NOSIGNAL) == 1;
  if (shepherd >= 0) ::close(shepherd);
  return heard ? Answer{} : refused("its shepherd does not listen");
}

void Helper::save_tasks() const {
  for (const auto& [attempt, known] : known_) {
    const TaskFolder folder(spool_, TaskPlaces::name(attempt));
    const int shepherd = folder.is_open() ? folder.connect() : -1;
    if (shepherd < 0) continue;
    if (::send(shepherd, "p", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) errno = 0; // it has just ended
    ::close(shepherd);
  }
}

// What still runs of it ends at once. The task's own process has the marker of the others.
void Helper::end_shepherds(const Attempt& attempt, bool own_too) const {
  const auto name = TaskPlaces::name(attempt);
  std::vector<std::int64_t> all;
  if (own_too) all.push_back(0);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(places_.spool + "/" + name + "/calls", error))
    all.push_back(std::atoll(entry.path().filename().c_str()));
  for (const auto call : all) {
    const TaskFolder folder(spool_, name, call);
    const int shepherd = folder.is_open() ? folder.connect() : -1;
    if (shepherd < 0) continue;
    if (::send(shepherd, "K", 1, MSG_NOSIGNAL) < 0) errno = 0; // it is ending already
    ::close(shepherd);
    if (own_too) end_leftovers(cgroup_of(attempt, call), orders_.marker_of(attempt));
  }
}

Helper::Answer Helper::remove(const Attempt& attempt) {
  const auto known = known_.extract(attempt);
  const auto name = TaskPlaces::name(attempt);
  if (!TaskFolder(spool_, name).is_open()) return {};
  end_shepherds(attempt, true);
  if (!known.empty()) removals_.add(known.mapped().tmpdir, ids_of(known.mapped().user));
  if (TaskFolder::remove(spool_, name)) return {};
  const auto away = gone + name;
  if (::renameat(spool_, name.c_str(), spool_, away.c_str()) != 0)
    return refused(trouble("remove " + name, places_.spool));
  std::error_code error;
  fs::remove_all(places_.spool + "/" + away, error);
  return {};
}

// A helper that was started again has forgotten what the master signed, and is shown it. Processes
// of qrsh -inherit end: whoever asked for them lost them with the other half of before, and takes
// their slots to be free.
Helper::Answer Helper::adopt(const HelperRequest& request) {
  const TaskFolder folder(spool_, TaskPlaces::name(request.attempt));
  Answer answer;
  answer.reply.known = folder.is_open() && folder.is_finished();
  if (!answer.reply.known) return answer;
  end_shepherds(request.attempt, false);
  if (auto warrant = opened(request); warrant && warrant->attempt == request.attempt)
    if (auto user = orders_.user_facts(*warrant)) {
      auto tmpdir = orders_.tmpdir_of(*warrant).path(static_cast<uid_t>(user->uid));
      known_.insert({request.attempt, {std::move(*warrant), std::move(*user), std::move(tmpdir)}});
    }
  add(answer, "connection", folder.connect());
  add(answer, "progress", folder.open("progress", O_RDONLY));
  return answer;
}

// ---- load sensors -------------------------------------------------------------------------------

// The same order again is good for as long as it is the last one: a sensor that has ended is to be
// started anew at any time.
Outcome Helper::take_sensors(const HelperRequest& request) {
  const auto& bytes = request.warrant.content;
  const auto given = bytes + request.signature.content;
  if (!bytes.empty() && given == sensor_order_) return Done{};
  if (!verify_signature(settings_.master_key, sensor_label + bytes, request.signature.content))
    return Error{"the load sensors were not signed by the master of this cell"};
  auto order = parse_sensor_order(bytes);
  if (!order) return order.error();
  if (order->host != settings_.host)
    return Error{"the load sensors are for the host " + order->host};
  if (!nonces_.good_until(order->nonce.content, settings_.clock()))
    return Error{"the order for load sensors is too old"};
  sensor_order_ = given;
  sensors_->set(std::move(order->programs));
  return Done{};
}

Helper::Answer Helper::sense(const HelperRequest& request) {
  const auto at = static_cast<std::size_t>(std::max<std::int64_t>(0, request.call));
  if (request.command == "end") { // whoever asks may have no other ones
    sensor_order_.clear(), sensors_->set({});
    return {};
  }
  if (auto taken = take_sensors(request); !taken) return refused(taken.what());
  const auto pipes = sensors_->start(at);
  if (!pipes) return refused(pipes.what());
  Answer answer;
  add(answer, "input", pipes->input), add(answer, "output", pipes->output);
  return answer;
}

// -------------------------------------------------------------------------------------------------

bool serve_one(Helper& helper, int socket) {
  HelperPacket packet;
  if (!receive_packet(socket, packet)) return false;
  for (const int file : packet.files) ::close(file); // nobody is asked to send any
  const auto answer = helper.answer(packet.text);
  const bool sent = send_packet(socket, print_fields(answer.reply, reply_format), answer.files);
  for (const int file : answer.files) ::close(file);
  return sent;
}

} // namespace almanac
