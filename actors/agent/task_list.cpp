#include "actors/agent/task_list.hpp"

#include <utility>

namespace almanac {

namespace {

// Of all tasks, so that the list goes in one frame. Those of others are part of their tasks' records.
constexpr std::size_t most_processes_listed = 2 * most_processes_told;

} // namespace

Outcome TaskList::welcome(const session::Welcome& master) {
  if (master.store_id == store_id_ && master.term < term_)
    return Error{"the master has an older term than before: " + to_string(master.term) + " < " +
                 to_string(term_)};
  store_id_ = master.store_id, term_ = master.term;
  return Done{};
}

std::vector<session::TaskReport> TaskList::list() {
  changed_since_list_.clear();
  auto reports = all();
  auto room = most_processes_listed;
  for (auto& report : reports) {
    if (report.processes.size() > room) report.processes.clear();
    room -= report.processes.size();
  }
  return reports;
}

std::vector<session::TaskReport> TaskList::registered() {
  is_registered_ = true;
  std::vector<session::TaskReport> news;
  for (const auto& attempt : std::exchange(changed_since_list_, {}))
    if (const auto* report = find(attempt)) news.push_back(*report);
  return news;
}

void TaskList::begin(const Attempt& attempt) {
  tasks_[attempt] = {attempt, session::TaskPhase::spooled, false, false, store_id_, term_, {}};
}

const session::TaskReport* TaskList::find(const Attempt& attempt) const {
  const auto it = tasks_.find(attempt);
  return it == tasks_.end() ? nullptr : &it->second;
}

void TaskList::change(const session::TaskReport& report) {
  tasks_.at(report.attempt) = report;
  if (!is_registered_) changed_since_list_.insert(report.attempt);
}

std::vector<session::TaskReport> TaskList::all() const {
  std::vector<session::TaskReport> reports;
  for (const auto& [attempt, report] : tasks_) reports.push_back(report);
  return reports;
}

} // namespace almanac
