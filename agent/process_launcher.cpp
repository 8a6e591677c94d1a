#include "agent/process_launcher.hpp"

#include "actors/process/daemon.hpp"
#include "actors/support.hpp"
#include "agent/processes.hpp"
#include "agent/sensors.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t largest_piece = 128 << 10;
constexpr std::int64_t most_untaken = 256 << 10;  // of a call's output, on the way to who reads it
constexpr std::int64_t input_ahead = 1 << 20;     // that may be sent before it is read
constexpr std::size_t most_input_left = 16 << 20; // where somebody sends more than that
constexpr int nonce_period_ms = 4'000;            // the helper has another one about as often
constexpr const char* end_leftovers_of = "end";   // a command for the helper, not for a shepherd

HelperRequest request_for(HelperVerb verb, const Attempt& attempt, std::int64_t call = 0) {
  HelperRequest request;
  request.verb = verb, request.attempt = attempt, request.call = call;
  return request;
}

std::string content_of(int file) {
  std::string content;
  char piece[4096];
  for (;;) {
    const auto size = ::pread(file, piece, sizeof piece, static_cast<off_t>(content.size()));
    if (size <= 0) return content;
    content.append(piece, static_cast<std::size_t>(size));
  }
}

} // namespace

ProcessLauncher::ProcessLauncher(LauncherSettings settings, Spool spool, HelperClient helper)
    : settings_(std::move(settings)),
      spool_(std::move(spool)),
      helper_(helper),
      nonce_(settings_.nonce),
      wake_file_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

ProcessLauncher::~ProcessLauncher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
  for (auto& [key, watched] : watched_) close_files(watched);
  ::close(wake_file_);
}

// ---- called from actors -----------------------------------------------------------------------

std::vector<session::TaskReport> ProcessLauncher::adopt(Events events) {
  events_ = std::move(events);
  std::vector<session::TaskReport> reports;
  const bool rebooted = spool_.is_of_an_earlier_boot();
  for (const auto& attempt : spool_.attempts())
    if (auto report = adopt_one(attempt, rebooted)) reports.push_back(std::move(*report));
  if (rebooted)
    if (auto taken = spool_.take_boot(); !taken) spdlog::error("{}", taken.what());
  thread_ = std::thread([this] { loop(); });
  return reports;
}

// What was never launched is forgotten: its warrant was for the helper that is gone, and the master
// gives another one.
std::optional<session::TaskReport> ProcessLauncher::adopt_one(const Attempt& attempt,
                                                              bool rebooted) {
  auto order = spool_.order(attempt);
  auto request = request_for(HelperVerb::adopt, attempt);
  if (order) request.warrant = order->warrant, request.signature = order->warrant_signature;
  auto found = helper_.ask(request);
  Watched watched;
  watched.attempt = attempt;
  watched.connection = found.take("connection"), watched.progress = found.take("progress");
  const bool is_part = order && !is_first_host(*order);
  if (order && rebooted) note_reboot(attempt, progress_of(watched));
  if (!order ||
      (watched.connection < 0 && !progress_of(watched).noted && !(is_part && found.reply.known))) {
    close_files(watched);
    helper_.ask(request_for(HelperVerb::remove, attempt));
    spool_.remove(attempt);
    return {};
  }
  keep_order(*order);
  go_on(std::move(watched));
  return stamped({attempt, session::TaskPhase::spooled, false, false, {}, 0, {}});
}

// It may have begun before the machine went down: it is not started again.
void ProcessLauncher::note_reboot(const Attempt& attempt, const TaskProgress& progress) {
  if (progress.record) return;
  ExitRecord record;
  record.failed = failed::no_exit_status, record.reason = "the host was rebooted";
  if (auto noted = spool_.note_end(attempt, true, record); !noted)
    spdlog::error("{}", noted.what());
}

void ProcessLauncher::keep_order(const session::Launch& order) {
  const std::lock_guard lock(mutex_);
  orders_[order.attempt] = order;
}

// A repetition does not reach the helper: it would refuse the warrant, and the task that runs would
// be reported as one that never began.
void ProcessLauncher::launch(const session::Launch& order) {
  later([this, order] {
    if (is_here(order.attempt)) return;
    crash_point("before-spool");
    if (auto kept = spool_.keep(order); !kept) {
      HelperReply why;
      why.refusal = kept.what(), why.failed = failed::before_job;
      return fail(order, why);
    }
    keep_order(order);
    crash_point("spooled");
    begin_task(order);
  });
}

void ProcessLauncher::control(const Attempt& attempt, session::TaskAction action) {
  later([this, attempt, action] {
    const char* const command = action == session::TaskAction::kill      ? "k"
                                : action == session::TaskAction::suspend ? "s"
                                                                         : "c";
    for (const auto& [key, watched] : watched_)
      if (key.first == attempt) send_command(watched, command);
    // A part has no process of its own: killed, it is over.
    const auto order = order_of(attempt);
    if (action == session::TaskAction::kill && order && !is_first_host(*order)) {
      ExitRecord record;
      record.failed = failed::killed, record.reason = "the part was ended with its job";
      tell(attempt, session::TaskPhase::ended, true, record);
    }
  });
}

void ProcessLauncher::forget(const Attempt& attempt) {
  later([this, attempt] {
    for (auto it = watched_.begin(); it != watched_.end();) {
      if (it->first.first != attempt) {
        ++it;
        continue;
      }
      close_files(it->second);
      it = watched_.erase(it);
    }
    helper_.send(request_for(HelperVerb::remove, attempt));
    {
      const std::lock_guard lock(mutex_);
      orders_.erase(attempt);
    }
    spool_.remove(attempt);
    if (const auto done = helper_.receive(); !done.reply.refusal.empty())
      spdlog::error("{}", done.reply.refusal);
  });
}

void ProcessLauncher::start_inherited(const Attempt& attempt, const InheritedStart& start) {
  later([this, attempt, start] {
    const auto order = order_of(attempt);
    const auto started = order ? start_call(*order, start)
                               : Outcome(Error{"the job has no part on " + settings_.host});
    if (!started) events_.call_ended(start.call, not_started(started.what()));
  });
}

// What it writes comes through pipes: nothing of it is kept on disk, and it waits where nobody
// reads.
Outcome ProcessLauncher::start_call(const session::Launch& order, const InheritedStart& start) {
  auto request = request_for(HelperVerb::launch, order.attempt, start.number);
  request.signature = start.proof;
  request.words = start.command, request.environment = start.environment;
  request.directory = start.directory, request.input = start.input;
  auto answer = helper_.ask(request);
  if (!answer.reply.refusal.empty()) return Error{answer.reply.refusal};
  Watched watched;
  watched.attempt = order.attempt, watched.call = start.call;
  watched.helpers_call = start.number;
  watched.connection = answer.take("connection"), watched.progress = answer.take("progress");
  watched.output = answer.take("output"), watched.error = answer.take("error");
  watched.input = answer.take("input");
  if (watched.input >= 0) events_.input_room(start.call, input_ahead);
  watched_[{watched.attempt, watched.call}] = std::move(watched);
  return Done{};
}

void ProcessLauncher::take_output(const Attempt& attempt, std::int64_t call, std::int64_t bytes) {
  later([this, attempt, call, bytes] {
    const auto it = watched_.find({attempt, call});
    if (it == watched_.end()) return;
    auto& untaken = it->second.untaken;
    untaken -= std::clamp<std::int64_t>(bytes, 0, untaken);
    send_output(it->second);
  });
}

void ProcessLauncher::write_input(const Attempt& attempt, std::int64_t call,
                                  const std::string& content, bool end) {
  later([this, attempt, call, content, end] {
    const auto it = watched_.find({attempt, call});
    if (it == watched_.end()) return;
    auto& watched = it->second;
    watched.input_left += content;
    watched.input_ends = watched.input_ends || end;
    if (watched.input_left.size() > most_input_left) {
      spdlog::warn("a process does not read its input: it gets no more job={}", attempt.job.value);
      watched.input_left.clear(), watched.input_ends = true;
    }
    pass_input_on(watched);
  });
}

// The end is closed only once the process holds the other one: what lies in between is not lost.
void ProcessLauncher::pass_input_on(Watched& watched) {
  if (watched.input < 0) return;
  std::size_t written = 0;
  while (written < watched.input_left.size()) {
    const auto size = ::write(watched.input, watched.input_left.data() + written,
                              watched.input_left.size() - written);
    if (size <= 0) break;
    written += static_cast<std::size_t>(size);
  }
  watched.input_left.erase(0, written);
  if (written > 0) events_.input_room(watched.call, static_cast<std::int64_t>(written));
  if (!watched.input_left.empty()) return;
  if (!watched.input_ends || !watched.running) return;
  ::close(watched.input);
  watched.input = -1;
}

std::optional<session::Launch> ProcessLauncher::order_of(const Attempt& attempt) const {
  const std::lock_guard lock(mutex_);
  const auto it = orders_.find(attempt);
  return it == orders_.end() ? std::nullopt : std::optional(it->second);
}

std::vector<Attempt> ProcessLauncher::attempts_of(JobNumber job_number) const {
  const std::lock_guard lock(mutex_);
  std::vector<Attempt> result;
  for (auto it = orders_.rbegin(); it != orders_.rend(); ++it)
    if (it->second.job.number == job_number) result.push_back(it->first);
  return result;
}

HostFacts ProcessLauncher::facts() const {
  auto facts = machine_facts();
  facts.spool_id = spool_.id();
  facts.address = settings_.address;
  return facts;
}

HostLoad ProcessLauncher::load() const { return machine_load(); }

std::string ProcessLauncher::nonce() const {
  const std::lock_guard lock(mutex_);
  return nonce_;
}

std::int64_t ProcessLauncher::lease_clock() const { return boot_clock_ms(); }

void ProcessLauncher::keep_lease(std::int64_t asked) {
  later([this, asked] {
    if (auto written = spool_.stamp_lease(asked); !written) spdlog::error("{}", written.what());
  });
}

// ---- the thread -------------------------------------------------------------------------------

void ProcessLauncher::later(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
  }
  wake();
}

void ProcessLauncher::wake() {
  const std::uint64_t one = 1;
  if (::write(wake_file_, &one, sizeof one) < 0) return; // full: it is awake
}

void ProcessLauncher::loop() {
  for (;;) {
    std::vector<pollfd> files{{wake_file_, POLLIN, 0}};
    std::vector<std::pair<Attempt, std::int64_t>> keys{{}};
    const auto look = [&](const auto& key, int file, short events) {
      if (file >= 0) files.push_back({file, events, 0}), keys.push_back(key);
    };
    for (const auto& [key, watched] : watched_) {
      look(key, watched.connection, POLLIN);
      if (!watched.input_left.empty()) look(key, watched.input, POLLOUT);
      if (watched.untaken >= most_untaken) continue;
      look(key, watched.output, POLLIN);
      look(key, watched.error, POLLIN);
    }
    ::poll(files.data(), files.size(), nonce_period_ms);
    renew_nonce();
    std::uint64_t count = 0;
    if (files[0].revents && ::read(wake_file_, &count, sizeof count) < 0) count = 0;
    for (std::size_t i = 1; i < files.size(); ++i) {
      const auto it = watched_.find(keys[i]);
      if (!files[i].revents || it == watched_.end()) continue;
      auto& watched = it->second;
      if (files[i].fd == watched.connection) hear(watched);
      else if (files[i].fd == watched.output) send_piece(watched, watched.output, false);
      else if (files[i].fd == watched.error) send_piece(watched, watched.error, true);
      pass_input_on(watched);
    }
    std::erase_if(watched_,
                  [](auto& entry) { return entry.second.ended && entry.second.call != 0; });
    for (;;) {
      std::function<void()> next;
      {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        if (work_.empty()) break;
        next = std::move(work_.front());
        work_.pop_front();
      }
      next();
    }
  }
}

// Whatever it is asked, it says: here of a task that is none.
void ProcessLauncher::renew_nonce() {
  const auto now = boot_clock_ms();
  if (now < nonce_due_ms_) return;
  nonce_due_ms_ = now + nonce_period_ms;
  note_nonce(helper_.ask(request_for(HelperVerb::adopt, {})).reply);
}

void ProcessLauncher::note_nonce(const HelperReply& reply) {
  const std::lock_guard lock(mutex_);
  nonce_ = reply.nonce.content;
}

void ProcessLauncher::hear(Watched& watched) {
  char text[64];
  const auto size = ::read(watched.connection, text, sizeof text);
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (size > 0) {
    if (!watched.running && watched.call == 0)
      tell(watched.attempt, session::TaskPhase::running, true, {});
    watched.running = true;
    return;
  }
  for (auto* file : {&watched.connection, &watched.input})
    if (*file >= 0) ::close(std::exchange(*file, -1));
  ended(watched);
}

void ProcessLauncher::close_files(Watched& watched) {
  for (auto* file :
       {&watched.connection, &watched.progress, &watched.input, &watched.output, &watched.error})
    if (*file >= 0) ::close(std::exchange(*file, -1));
}

// What was noted here, of a task that has no shepherd, else what its shepherd did.
TaskProgress ProcessLauncher::progress_of(const Watched& watched) const {
  if (watched.call == 0)
    if (auto own = spool_.progress(watched.attempt); own.noted) return own;
  return watched.progress < 0 ? TaskProgress() : parse_task_progress(content_of(watched.progress));
}

void ProcessLauncher::ended(Watched& watched) {
  const auto progress = progress_of(watched);
  if (watched.progress >= 0) ::close(std::exchange(watched.progress, -1));
  const bool began = progress.began();
  auto record = progress.record;
  if (!record) {
    // The shepherd is gone and left no record: what it watched over is ended here.
    send_command(watched, end_leftovers_of);
    record = ExitRecord();
    record->failed = began ? failed::no_exit_status : failed::shepherd;
    record->reason = "the shepherd ended without a record";
  }
  if (watched.call != 0) {
    watched.record = *record;
    return send_output(watched);
  }
  watched.ended = true;
  const bool user_fault = record->failed == failed::cannot_open_output ||
                          record->failed == failed::no_directory ||
                          record->failed == failed::no_shell;
  tell(watched.attempt, session::TaskPhase::ended, began, *record, user_fault);
}

void ProcessLauncher::tell(const Attempt& attempt, session::TaskPhase phase, bool began,
                           const ExitRecord& record, bool user_fault) {
  events_.report(stamped({attempt, phase, began, user_fault, {}, 0, record}));
}

// A report says whose order it was: the master tells its own tasks from those of another store.
session::TaskReport ProcessLauncher::stamped(session::TaskReport report) const {
  const auto order = order_of(report.attempt);
  if (!order) return report;
  if (auto credential = decode<session::Credential>(order->credential.content))
    report.store_id = credential->store_id, report.term = credential->term;
  return report;
}

void ProcessLauncher::send_output(Watched& watched) {
  send_piece(watched, watched.output, false);
  send_piece(watched, watched.error, true);
}

// No more than who asked for it has room for. The end is told after all of it.
void ProcessLauncher::send_piece(Watched& watched, int& file, bool error) {
  std::string piece;
  while (file >= 0 && watched.untaken < most_untaken) {
    piece.resize(static_cast<std::size_t>(std::min(most_untaken - watched.untaken, largest_piece)));
    const auto size = ::read(file, piece.data(), piece.size());
    if (size > 0) {
      watched.untaken += size;
      events_.output(watched.call, piece.substr(0, static_cast<std::size_t>(size)), error);
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    // Once its process has ended, an end that somebody else may hold is not waited for.
    if (size < 0 && errno == EAGAIN && !watched.record) break;
    ::close(std::exchange(file, -1));
  }
  if (!watched.record || watched.output >= 0 || watched.error >= 0 || watched.ended) return;
  watched.ended = true;
  events_.call_ended(watched.call, *watched.record);
}

void ProcessLauncher::send_command(const Watched& watched, const char* command) {
  if (watched.connection < 0 && command != end_leftovers_of) return;
  auto request = request_for(HelperVerb::control, watched.attempt, watched.helpers_call);
  request.command = command;
  if (const auto done = helper_.ask(request); !done.reply.refusal.empty())
    spdlog::warn("job={} is not told \"{}\": {}", watched.attempt.job.value, command,
                 done.reply.refusal);
}

void ProcessLauncher::fail(const session::Launch& order, const HelperReply& why) {
  spdlog::warn("task {} is not launched: {}", Spool::name(order.attempt), why.refusal);
  ExitRecord record;
  record.failed = why.failed, record.reason = why.refusal;
  if (auto noted = spool_.note_end(order.attempt, false, record); !noted)
    spdlog::error("{}", noted.what());
  tell(order.attempt, session::TaskPhase::ended, false, record, why.user_fault);
}

void ProcessLauncher::begin_task(const session::Launch& order) {
  auto request = request_for(HelperVerb::prepare, order.attempt);
  request.warrant = order.warrant, request.signature = order.warrant_signature;
  request.script = order.script;
  helper_.send(request);
  // Asked together: what could not be prepared is not launched.
  if (is_first_host(order)) helper_.send(request_for(HelperVerb::launch, order.attempt));
  const auto prepared = helper_.receive();
  auto launched = is_first_host(order) ? helper_.receive() : HelperClient::Answer();
  note_nonce(prepared.reply);
  if (!prepared.reply.refusal.empty()) return fail(order, prepared.reply);
  if (!is_first_host(order)) return tell(order.attempt, session::TaskPhase::running, true, {});
  if (!launched.reply.refusal.empty()) fail(order, launched.reply);
  else {
    auto& watched = watched_[{order.attempt, 0}];
    watched.attempt = order.attempt;
    watched.connection = launched.take("connection");
    watched.progress = launched.take("progress");
  }
  crash_point("forked");
}

// Brings what was there before this process to where it belongs, before the thread runs. The thread
// tells what is known of it already.
void ProcessLauncher::go_on(Watched watched) {
  const auto attempt = watched.attempt;
  const bool is_live = watched.connection >= 0;
  if (is_live || progress_of(watched).noted) watched_[{attempt, 0}] = std::move(watched);
  else close_files(watched);
  if (is_live) return;
  later([this, attempt] {
    const auto it = watched_.find({attempt, 0});
    if (it != watched_.end()) ended(it->second);
    else tell(attempt, session::TaskPhase::running, true, {}); // a part
  });
}

} // namespace almanac
