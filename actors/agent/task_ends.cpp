#include "actors/agent/task_ends.hpp"

#include <algorithm>
#include <spdlog/spdlog.h>
#include <utility>

namespace almanac {

std::int64_t TaskEnds::take(const session::TaskReport& report) {
  const auto& attempt = report.attempt;
  if (report.phase != session::TaskPhase::ended || calls_.running_of(attempt) == 0) {
    held_.erase(attempt);
    master_.report(calls_.with_usage(report));
    return 0;
  }
  auto& held = held_[attempt];
  held.report = report;
  if (held.number != 0) return 0; // a repetition
  held.number = ++last_;
  launcher_.control(attempt, session::TaskAction::kill);
  return held.number;
}

void TaskEnds::process_ended(const Attempt& attempt) {
  const auto held = held_.find(attempt);
  if (held != held_.end() && calls_.running_of(attempt) == 0) tell(held);
}

void TaskEnds::give_up(std::int64_t number) {
  const auto held = std::find_if(held_.begin(), held_.end(),
                                 [&](auto& entry) { return entry.second.number == number; });
  if (held == held_.end()) return;
  spdlog::warn("key={} task={} has ended: nothing is heard of {} of its processes",
               held->first.job.value, held->first.task, calls_.running_of(held->first));
  tell(held);
}

void TaskEnds::tell(std::map<Attempt, Held>::iterator held) {
  auto report = std::move(held->second.report);
  held_.erase(held);
  master_.report(calls_.with_usage(std::move(report)));
}

} // namespace almanac
