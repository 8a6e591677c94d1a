#include "tools/simulator/world/virtual_ports.hpp"

#include "core/host/sensor_report.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "schema/codec.hpp"
#include "schema/sensor_order.hpp"
#include "schema/warrant.hpp"

#include <algorithm>
#include <fstream>

namespace almanac {

namespace {

// Whoever submits a job may write anything there.
std::int64_t bounded(const std::string& text) {
  constexpr std::int64_t longest = 1'000'000'000;
  const auto number = parse_number(text);
  return number ? std::clamp<std::int64_t>(*number, 0, longest) : 0;
}

// How long a job runs and how it ends, from its words.
void model(const JobRequest& request, const std::string& script, std::int64_t& seconds,
           std::int64_t& exit_status) {
  seconds = 1, exit_status = 0;
  if (request.binary) {
    const auto line = words(request.command + " " + join(request.arguments, " "), " ");
    if (line.empty()) return;
    if (line.front() == "sleep" && line.size() > 1) seconds = bounded(line[1]);
    if (line.front() == "true" || line.front() == "false")
      seconds = 0, exit_status = line.front() == "false";
    return;
  }
  const auto at = script.find("# sim: runs ");
  if (at == std::string::npos) return;
  const auto told = words(script.substr(at, script.find('\n', at) - at), " ");
  if (told.size() >= 6) seconds = bounded(told[3]), exit_status = bounded(told[5]);
}

} // namespace

Commit MemoryJournal::commit(const std::vector<store::Write>& batch, Term own_term) {
  if (own_term < term) return Commit::fenced;
  const auto fate = std::exchange(next_fate, Fate::durable);
  for (const auto& write : batch) {
    if (fate == Fate::lost) break;
    if (write.value) families_[write.family][write.key] = *write.value;
    else families_[write.family].erase(write.key);
  }
  if (on_commit) on_commit(batch, fate);
  // Nobody hears of it where that is not so: the master's end comes before the next message.
  return Commit::durable;
}

std::optional<std::string> MemoryJournal::get(store::Family family, const std::string& key) const {
  const auto entries = families_.find(family);
  if (entries == families_.end()) return std::nullopt;
  const auto it = entries->second.find(key);
  return it == entries->second.end() ? std::nullopt : std::optional(it->second);
}

std::optional<std::string> MemoryJournal::last(store::Family family) const {
  const auto it = families_.find(family);
  if (it == families_.end() || it->second.empty()) return std::nullopt;
  return it->second.rbegin()->second;
}

void MemoryJournal::scan_from(store::Family family, const std::string& from,
                              const Visit& visit) const {
  const auto entries = families_.find(family);
  if (entries == families_.end()) return;
  for (auto it = entries->second.lower_bound(from); it != entries->second.end(); ++it)
    if (!visit(it->first, it->second)) return;
}

session::TaskReport VirtualLauncher::report(const Running& running) const {
  session::TaskReport report{running.order.attempt,
                             running.ended ? session::TaskPhase::ended
                                           : session::TaskPhase::running,
                             running.began,
                             false,
                             {},
                             {},
                             running.record};
  if (auto credential = decode<session::Credential>(running.order.credential.content))
    report.store_id = credential->store_id, report.term = credential->term;
  return report;
}

void VirtualLauncher::tell(const Running& running) const {
  if (events_.report) events_.report(report(running));
}

std::vector<session::TaskReport> VirtualLauncher::adopt(Events events) {
  events_ = std::move(events);
  std::vector<session::TaskReport> reports;
  for (const auto& [attempt, running] : tasks_) reports.push_back(report(running));
  return reports;
}

void VirtualLauncher::launch(const session::Launch& order) {
  auto& running = tasks_[order.attempt];
  running.order = order;
  running.started = clock_.milliseconds;
  running.began = fenced_at(running) > clock_.milliseconds;
  if (!running.began) return fence(running);
  ++starts_[order.attempt];
  if (order.parts.front().host == host_) {
    std::int64_t length = 0;
    model(order.job.request, order.script.content, length, running.record.exit_status);
    running.ignores_sigterm =
        order.script.content.find("# sim: ignores SIGTERM") != std::string::npos;
    const auto& limit = order.job.tasks.front().limit;
    running.limit = limit.is_endless() ? 0 : limit.seconds;
    running.done_at = running.started + 1000 * length + 10;
    if (on_process) on_process(order.attempt, true);
  }
  tell(running);
}

// Its limit goes on to count while it is suspended (spec/scheduling.md section 13).
std::int64_t VirtualLauncher::limit_at(const Running& running) {
  return running.limit > 0 ? running.started + 1000 * running.limit + 10 : no_end;
}
std::int64_t VirtualLauncher::end_of(const Running& running) {
  return std::min({running.done_at, limit_at(running), running.killed_at});
}

void VirtualLauncher::prolong(const Attempt& attempt, const Bytes& warrant, const Bytes&) {
  const auto it = tasks_.find(attempt);
  const auto longer = parse_limit(warrant.content);
  if (it == tasks_.end() || it->second.ended || !longer) return;
  auto& running = it->second;
  if (running.limit > 0) running.limit = std::max(running.limit, longer->limit);
}

void VirtualLauncher::end(Running& running) {
  if (running.ended) return;
  running.ended = true;
  if (on_process && running.began && running.order.parts.front().host == host_)
    on_process(running.order.attempt, false);
  running.record.wallclock = (clock_.milliseconds - running.started) / 1000;
  tell(running);
}

void VirtualLauncher::fence(Running& running) {
  running.record.failed = failed::rescheduled, running.record.exit_status = running.began ? 137 : 0;
  running.record.reason = "the host was cut off from the master";
  end(running);
}

void VirtualLauncher::kill(Running& running, std::int64_t exit_status) {
  running.record.failed = failed::killed, running.record.exit_status = exit_status;
  running.record.reason = "killed";
  end(running);
}

// As a shepherd does: the notice of one with -notify, SIGTERM, SIGKILL. A part ends with its job.
// Not modelled: a real job may clean up for a while and exit with a status of its own, or end at
// the notice; and a terminate_method takes the place of SIGTERM.
void VirtualLauncher::give_way(Running& running) {
  const auto& notice = running.order.notice;
  if (running.order.parts.front().host != host_ || running.killed_at != no_end) return;
  const bool heeds = notice.patience > 0 && !running.ignores_sigterm; // who is not asked is killed
  auto wait = running.ignores_sigterm ? notice.patience : 0;
  if (!notice.kill.empty() && !notice.ahead.is_endless()) wait += notice.ahead.seconds;
  running.killed_by = heeds ? by_sigterm : by_sigkill;
  if (wait == 0) return kill(running, running.killed_by);
  running.killed_at = clock_.milliseconds + 1000 * wait;
}

void VirtualLauncher::control(const Attempt& attempt, session::TaskAction action) {
  const auto it = tasks_.find(attempt);
  if (it == tasks_.end() || it->second.ended) return;
  auto& running = it->second;
  if (action == session::TaskAction::kill || action == session::TaskAction::move) {
    const auto& plan = running.order.checkpoint;
    const bool is_saved = !plan.migration.empty() || !plan.checkpoint.empty() || plan.signal > 0;
    if (action == session::TaskAction::move && plan.at_move && is_saved)
      running.record.checkpoint_pid = 1000;
    if (on_order) on_order(attempt, true);
    kill(running, by_sigkill);
  } else if (action == session::TaskAction::preempt) {
    if (on_order) on_order(attempt, true);
    give_way(running);
  } else if (action == session::TaskAction::suspend && !running.suspended) {
    running.suspended = true;
    running.left = running.done_at - clock_.milliseconds;
    running.done_at = no_end;
  } else if (action == session::TaskAction::resume && running.suspended) {
    running.suspended = false;
    running.done_at = std::min(running.left, no_end - clock_.milliseconds) + clock_.milliseconds;
  }
}

bool VirtualLauncher::stands(const Attempt& attempt) const {
  const auto it = tasks_.find(attempt);
  return it != tasks_.end() && it->second.suspended;
}

void VirtualLauncher::forget(const Attempt& attempt) {
  if (const auto it = tasks_.find(attempt); it != tasks_.end()) {
    if (on_process && !it->second.ended && it->second.order.parts.front().host == host_)
      on_process(attempt, false);
    tasks_.erase(it);
  }
}

void VirtualLauncher::reboot() {
  ++boots_;
  events_ = {};
  for (auto& [attempt, running] : tasks_) {
    if (running.ended) continue;
    running.record.failed = failed::no_exit_status;
    running.record.reason = "the shepherd ended without a record";
    end(running);
  }
}

bool VirtualLauncher::has_ended(const Attempt& attempt) const {
  const auto it = tasks_.find(attempt);
  return it != tasks_.end() && it->second.ended;
}

void VirtualLauncher::start_inherited(const Attempt& attempt, const InheritedStart& start) {
  if (on_order) on_order(attempt, false);
  if (events_.call_ended) events_.call_ended(start.call, ExitRecord());
}

std::optional<session::Launch> VirtualLauncher::order_of(const Attempt& attempt) const {
  const auto it = tasks_.find(attempt);
  return it == tasks_.end() ? std::nullopt : std::optional(it->second.order);
}

std::vector<Attempt> VirtualLauncher::attempts_of(JobNumber job_number) const {
  std::vector<Attempt> result;
  for (auto it = tasks_.rbegin(); it != tasks_.rend(); ++it)
    if (it->second.order.job.number == job_number) result.push_back(it->first);
  return result;
}

HostFacts VirtualLauncher::facts() const {
  return {"lx-amd64",       4,     16LL << 30, "boot-" + std::to_string(boots_) + "-" + host_,
          "spool-" + host_, host_, "SCTTCTT"};
}

std::int64_t VirtualLauncher::next_end() const {
  auto next = no_end;
  for (const auto& [attempt, running] : tasks_)
    if (!running.ended) next = std::min({next, end_of(running), fenced_at(running)});
  return next;
}

std::string VirtualLauncher::print() const {
  std::string text;
  for (const auto& [attempt, running] : tasks_)
    text += "spooled: job " + to_string(running.order.job.number) + " task " +
            std::to_string(attempt.task) + " attempt " + std::to_string(attempt.attempt) +
            (running.ended ? " ended" : " runs") + "\n";
  return text;
}

// Where a task has a part and no shepherd there is nothing that a fence could end.
std::int64_t VirtualLauncher::fenced_at(const Running& running) const {
  const auto fence = running.order.job.tasks.front().fence;
  const bool has_shepherd = running.order.parts.front().host == host_;
  return fence.seconds == 0 || !has_shepherd ? no_end : lease_ + fence.seconds * 1000;
}

void VirtualLauncher::advance() {
  for (auto& [attempt, running] : tasks_) {
    if (!running.ended && fenced_at(running) <= clock_.milliseconds) fence(running);
    if (running.ended || end_of(running) > clock_.milliseconds) continue;
    if (running.killed_at <= std::min(running.done_at, limit_at(running))) {
      kill(running, running.killed_by);
      continue;
    }
    if (limit_at(running) <= running.done_at) {
      running.record.failed = failed::run_time_limit, running.record.exit_status = 137;
      running.record.reason =
          "the run-time limit of " + std::to_string(running.limit) + " s is reached";
    }
    end(running);
  }
}

void VirtualLauncher::use_sensors(const Bytes& order, const Bytes&) {
  const auto parsed = parse_sensor_order(order.content);
  sensors_ = parsed ? parsed->programs : std::vector<std::string>();
}

HostLoad VirtualLauncher::load() const {
  constexpr std::string_view says = "# sim: says ";
  HostLoad load{0, 0, 0, 0, facts().memory / 2, 0, 0};
  for (const auto& file : sensors_) {
    SensorReport report(host_);
    report.take("begin\n");
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(says)) report.take(line.substr(says.size()) + "\n");
    report.take("end\n");
    load.values.insert(load.values.end(), report.values().begin(), report.values().end());
  }
  return load;
}

} // namespace almanac
