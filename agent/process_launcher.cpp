#include "agent/process_launcher.hpp"

#include "actors/process/daemon.hpp"
#include "actors/support.hpp"
#include "agent/shepherd/processes.hpp"
#include "agent/sensors.hpp"
#include "core/execution/bound_topology.hpp"
#include "schema/codec.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr int nonce_period_ms = 4'000; // the helper has another one about as often

} // namespace

ProcessLauncher::ProcessLauncher(LauncherSettings settings, Spool spool, HelperClient helper)
    : settings_(std::move(settings)),
      spool_(std::move(spool)),
      helper_(helper),
      topology_(machine_topology()),
      nonce_(settings_.nonce),
      wake_file_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      calls_(helper_, [this](const Attempt& attempt) { note_usage(attempt); }),
      sensors_(settings_.host, helper_) {}

ProcessLauncher::~ProcessLauncher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
  for (auto& [attempt, task] : tasks_) task.close();
  ::close(wake_file_);
}

// ---- called from actors -----------------------------------------------------------------------

std::vector<session::TaskReport> ProcessLauncher::adopt(Events events) {
  events_ = std::move(events);
  calls_.tell_to(events_);
  std::vector<session::TaskReport> reports;
  for (const auto& [order, task] : adopt_spooled(spool_, helper_, settings_.host)) {
    keep_order(order);
    go_on(task);
    reports.push_back(
        stamped({order.attempt, session::TaskPhase::spooled, false, false, {}, {}, {}}));
  }
  thread_ = std::thread([this] { loop(); });
  return reports;
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
    const auto order = order_of(attempt);
    // One that was launched before there were checkpoints has a shepherd that knows of none.
    if (action == session::TaskAction::move && order && order->checkpoint.is_asked_for &&
        is_first_host(*order) && !awaits_client(*order))
      return move_away(attempt);
    const bool is_asked = is_asked_to_end(action, order);
    const bool ends =
        action != session::TaskAction::suspend && action != session::TaskAction::resume;
    const char* const command = is_asked                                 ? "t"
                                : ends                                   ? "k"
                                : action == session::TaskAction::suspend ? "s"
                                                                         : "c";
    if (const auto task = tasks_.find(attempt); task != tasks_.end())
      send_command(helper_, task->second, command);
    calls_.send_command(attempt, command);
    if (ends && order && awaits_client(*order)) return end_unattached(*order);
    // A part has no process of its own: killed, it is over. Asked to end, it is over with its job.
    if (ends && !is_asked && order && !is_first_host(*order)) {
      ExitRecord record;
      record.failed = failed::killed, record.reason = "the part was ended with its job";
      tell(attempt, session::TaskPhase::ended, true, record);
    }
  });
}

// Not one whose shepherd may be of an earlier version.
bool ProcessLauncher::is_asked_to_end(session::TaskAction action,
                                      const std::optional<session::Launch>& order) const {
  return action == session::TaskAction::preempt && order && order->notice.patience > 0 &&
         !awaits_client(*order);
}

// Its processes of qrsh -inherit are saved with it, and end with it.
void ProcessLauncher::move_away(const Attempt& attempt) {
  if (const auto task = tasks_.find(attempt); task != tasks_.end())
    send_command(helper_, task->second, "m");
}

void ProcessLauncher::prolong(const Attempt& attempt, const Bytes& warrant,
                              const Bytes& signature) {
  later([this, attempt, warrant, signature] {
    if (!tasks_.contains(attempt)) return;
    HelperRequest request;
    request.verb = HelperVerb::prolong, request.attempt = attempt;
    request.warrant = warrant, request.signature = signature;
    const auto reply = helper_.ask(request).reply;
    note_nonce(reply);
    if (!reply.refusal.empty())
      spdlog::warn("key={} task={} keeps its limit: {}", attempt.job.value, attempt.task,
                   reply.refusal);
  });
}

void ProcessLauncher::forget(const Attempt& attempt) {
  later([this, attempt] {
    if (const auto task = tasks_.find(attempt); task != tasks_.end()) {
      task->second.close();
      tasks_.erase(task);
    }
    calls_.forget(attempt), ends_.erase(attempt);
    helper_.send(request_for(HelperVerb::remove, attempt));
    {
      const std::lock_guard lock(mutex_);
      orders_.erase(attempt), usages_.erase(attempt);
    }
    spool_.remove(attempt);
    if (const auto done = helper_.receive(); !done.reply.refusal.empty())
      spdlog::error("{}", done.reply.refusal);
  });
}

void ProcessLauncher::start_inherited(const Attempt& attempt, const InheritedStart& start) {
  later([this, attempt, start] {
    const auto order = order_of(attempt);
    if (order && start.attaches) return attach(*order, start);
    const auto started = order ? calls_.start(attempt, start)
                               : Outcome(Error{"the job has no part on " + settings_.host});
    if (!started) events_.call_ended(start.call, not_started(started.what()));
  });
}

void ProcessLauncher::take_output(const Attempt& attempt, std::int64_t call, std::int64_t bytes) {
  later([this, attempt, call, bytes] { calls_.take_output(attempt, call, bytes); });
}

void ProcessLauncher::resize(const Attempt& attempt, std::int64_t call, const TerminalSize& size) {
  later([this, attempt, call, size] { calls_.resize(attempt, call, size); });
}

void ProcessLauncher::hang_up(const Attempt& attempt, std::int64_t call) {
  later([this, attempt, call] {
    const auto task = tasks_.find(attempt);
    calls_.hang_up(attempt, call, task == tasks_.end() ? nullptr : &task->second);
  });
}

void ProcessLauncher::write_input(const Attempt& attempt, std::int64_t call,
                                  const std::string& content, bool end) {
  later([this, attempt, call, content, end] { calls_.write_input(attempt, call, content, end); });
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

void ProcessLauncher::use_sensors(const Bytes& order, const Bytes& signature) {
  later([this, order, signature] { sensors_.use(order, signature, boot_clock_ms()); });
}

void ProcessLauncher::ask_sensors() {
  later([this] { sensors_.ask(boot_clock_ms()); });
}

void ProcessLauncher::ask_usage() {
  later([this] {
    for (const auto& [attempt, task] : tasks_) task.ask_usage();
    calls_.ask_usage();
  });
}

std::vector<session::TaskUse> ProcessLauncher::usages() const {
  const std::lock_guard lock(mutex_);
  std::vector<session::TaskUse> all;
  for (const auto& [attempt, usage] : usages_) {
    const auto bound = bound_.find(attempt);
    all.push_back(
        {attempt, usage, bound == bound_.end() ? "" : topology_in_use(topology_, bound->second)});
  }
  return all;
}

HostFacts ProcessLauncher::facts() const {
  auto facts = machine_facts();
  facts.spool_id = spool_.id();
  facts.address = settings_.address;
  facts.topology = topology_;
  return facts;
}

HostLoad ProcessLauncher::load() const {
  auto load = machine_load();
  const std::lock_guard lock(mutex_);
  load.values = load_values_;
  std::vector<CoreName> cores;
  for (const auto& [attempt, bound] : bound_) cores.insert(cores.end(), bound.begin(), bound.end());
  if (!cores.empty()) load.topology_in_use = topology_in_use(topology_, cores);
  return load;
}

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
    ReadyFiles files;
    files.add(wake_file_, POLLIN, [this] {
      std::uint64_t count = 0;
      if (::read(wake_file_, &count, sizeof count) < 0) return; // somebody else has read it
    });
    for (auto& [attempt, entry] : tasks_) {
      auto& task = entry;
      files.add(task.connection, POLLIN, [this, &task] { hear(task); });
    }
    calls_.add_to(files), sensors_.add_to(files);
    files.wait(nonce_period_ms);
    renew_nonce();
    sensors_.go_on(boot_clock_ms());
    for (const auto& attempt : calls_.drop_ended()) tell_drained(attempt);
    if (!do_work()) return;
    note_load_values(), note_bound_cores();
  }
}

// What was ordered meanwhile; false once there shall be no more.
bool ProcessLauncher::do_work() {
  for (;;) {
    std::function<void()> next;
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return false;
      if (work_.empty()) return true;
      next = std::move(work_.front());
      work_.pop_front();
    }
    next();
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

void ProcessLauncher::hear(WatchedShepherd& task) {
  switch (task.hear()) {
  case WatchedShepherd::Heard::nothing: return;
  case WatchedShepherd::Heard::usage: return note_usage(task.attempt);
  case WatchedShepherd::Heard::begun: calls_.note_begun(task.attempt); return tell_running(task);
  case WatchedShepherd::Heard::saved: return tell_running(task);
  case WatchedShepherd::Heard::ended: return ended(task);
  }
}

void ProcessLauncher::tell_running(const WatchedShepherd& task) {
  ExitRecord so_far;
  so_far.checkpoint_pid = task.saved_pid;
  tell(task.attempt, session::TaskPhase::running, true, so_far);
}

void ProcessLauncher::note_load_values() {
  auto values = sensors_.values();
  const std::lock_guard lock(mutex_);
  load_values_ = std::move(values);
}

// With those of the processes of qrsh -inherit.
void ProcessLauncher::note_bound_cores() {
  std::map<Attempt, std::vector<CoreName>> all;
  const auto add = [&](const WatchedShepherd& shepherd) {
    if (shepherd.connection < 0 || shepherd.cores.empty()) return;
    auto& cores = all[shepherd.attempt];
    cores.insert(cores.end(), shepherd.cores.begin(), shepherd.cores.end());
  };
  for (const auto& [attempt, task] : tasks_) add(task);
  calls_.each_shepherd(add);
  const std::lock_guard lock(mutex_);
  bound_ = std::move(all);
}

// With that of the processes of qrsh -inherit.
void ProcessLauncher::note_usage(const Attempt& attempt) {
  auto usage = calls_.usage(attempt);
  if (const auto task = tasks_.find(attempt); task != tasks_.end())
    usage = usage + task->second.usage;
  const std::lock_guard lock(mutex_);
  usages_[attempt] = usage;
}

void ProcessLauncher::ended(WatchedShepherd& task) {
  const auto progress = progress_of(task, spool_);
  task.close();
  const auto record = end_of(helper_, task, progress);
  const bool user_fault = record.failed == failed::cannot_open_output ||
                          record.failed == failed::no_directory ||
                          record.failed == failed::no_shell;
  if (!calls_.is_attached(task.attempt))
    return tell(task.attempt, session::TaskPhase::ended, progress.began(), record, user_fault);
  ends_[task.attempt] = {progress.began(), record, user_fault};
  calls_.note_end(task.attempt, record);
}

void ProcessLauncher::tell_drained(const Attempt& attempt) {
  const auto end = ends_.extract(attempt);
  if (end.empty()) return;
  const auto& [began, record, user_fault] = end.mapped();
  tell(attempt, session::TaskPhase::ended, began, record, user_fault);
}

void ProcessLauncher::tell(const Attempt& attempt, session::TaskPhase phase, bool began,
                           const ExitRecord& record, bool user_fault) {
  if (phase == session::TaskPhase::ended) {
    const std::lock_guard lock(mutex_);
    usages_.erase(attempt);
  }
  events_.report(stamped({attempt, phase, began, user_fault, {}, {}, record}));
}

// A report says whose order it was: the master tells its own tasks from those of another store.
session::TaskReport ProcessLauncher::stamped(session::TaskReport report) const {
  std::string content;
  {
    const std::lock_guard lock(mutex_);
    const auto order = orders_.find(report.attempt);
    if (order == orders_.end()) return report;
    content = order->second.credential.content;
  }
  if (auto credential = decode<session::Credential>(content))
    report.store_id = credential->store_id, report.term = credential->term;
  return report;
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
  if (awaits_client(order)) return wait_for_client(order);
  // Asked together: what could not be prepared is not launched.
  if (is_first_host(order)) helper_.send(request_for(HelperVerb::launch, order.attempt));
  const auto prepared = helper_.receive();
  auto launched = is_first_host(order) ? helper_.receive() : HelperClient::Answer();
  note_nonce(prepared.reply);
  if (!prepared.reply.refusal.empty()) return fail(order, prepared.reply);
  if (!is_first_host(order)) return tell(order.attempt, session::TaskPhase::running, true, {});
  if (!launched.reply.refusal.empty()) fail(order, launched.reply);
  else {
    auto& task = tasks_[order.attempt];
    task.attempt = order.attempt;
    task.connection = launched.take("connection");
    task.progress = launched.take("progress");
  }
  crash_point("forked");
}

// ---- interactive jobs ---------------------------------------------------------------------------

bool ProcessLauncher::awaits_client(const session::Launch& order) const {
  return order.job.request->interaction != Interaction::none && is_first_host(order) &&
         !tasks_.contains(order.attempt) && !spool_.progress(order.attempt).noted;
}

void ProcessLauncher::wait_for_client(const session::Launch& order) {
  const auto prepared = helper_.receive();
  note_nonce(prepared.reply);
  if (prepared.reply.refusal.empty()) tell(order.attempt, session::TaskPhase::spooled, false, {});
  else fail(order, prepared.reply);
}

// Until then it was as if its prolog had not begun.
void ProcessLauncher::attach(const session::Launch& order, const InheritedStart& start) {
  const auto& attempt = order.attempt;
  if (!awaits_client(order))
    return events_.call_ended(start.call, not_started("job " + to_string(order.job.number) +
                                                      " takes no client, or no other one"));
  auto request = request_for(HelperVerb::launch, attempt);
  request.input = start.input, request.terminal = start.terminal;
  auto launched = helper_.ask(request);
  note_nonce(launched.reply);
  if (!launched.reply.refusal.empty()) {
    fail(order, launched.reply);
    return events_.call_ended(start.call, not_started(launched.reply.refusal));
  }
  auto& task = tasks_[attempt];
  task.attempt = attempt;
  task.connection = launched.take("connection"), task.progress = launched.take("progress");
  calls_.attach(attempt, start, launched);
}

void ProcessLauncher::end_unattached(const session::Launch& order) {
  ExitRecord record;
  record.failed = failed::killed, record.exit_status = 1;
  record.reason = "no client came for the interactive job";
  if (auto noted = spool_.note_end(order.attempt, true, record); !noted)
    spdlog::error("{}", noted.what());
  tell(order.attempt, session::TaskPhase::ended, true, record);
}

// Its client went with the process that had its streams.
void ProcessLauncher::hang_up_adopted(const Attempt& attempt) {
  const auto order = order_of(attempt);
  if (!order || order->job.request->interaction == Interaction::none || !is_first_host(*order))
    return;
  if (const auto task = tasks_.find(attempt); task != tasks_.end())
    send_command(helper_, task->second, "h");
}

// -------------------------------------------------------------------------------------------------

// Brings what was there before this process to where it belongs, before the thread runs. The thread
// tells what is known of it already.
void ProcessLauncher::go_on(WatchedShepherd task) {
  const auto attempt = task.attempt;
  const bool is_live = task.connection >= 0;
  if (is_live || progress_of(task, spool_).noted) tasks_[attempt] = task;
  else task.close();
  if (is_live) return later([this, attempt] { hang_up_adopted(attempt); });
  later([this, attempt] {
    const auto it = tasks_.find(attempt);
    if (it != tasks_.end()) ended(it->second);
    else tell(attempt, session::TaskPhase::running, true, {}); // a part
  });
}

} // namespace almanac
