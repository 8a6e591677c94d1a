#include "core/job/job_line.hpp"

#include "core/text/task_numbers.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace almanac {

namespace {

JobLine running_line(const Job& job, const Task& task, bool all_grants) {
  JobLine line;
  line.state = state_letters(task, false);
  line.time = task.started.seconds ? task.started : job.submitted;
  line.slots = slots_of(task.grants);
  if (all_grants) line.grants = task.grants;
  else line.grants = {task.grants.front()};
  if (task.number > 0) line.tasks = std::to_string(task.number);
  line.running = true, line.suspended = task.suspended, line.pe = task.pe;
  return line;
}

bool is_in(const std::vector<TaskRange>& ranges, std::int64_t task) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const TaskRange& range) { return range.contains(task); });
}

std::string holds_of(const Job& job, std::int64_t task) {
  std::string letters;
  const auto add = [&](bool is_so, char letter) {
    if (is_so) letters += letter;
  };
  add(job.held_by_user || is_in(job.task_holds.by_user, task), 'u');
  add(job.held_by_operator || is_in(job.task_holds.by_operator, task), 'o');
  add(job.held_by_system || is_in(job.task_holds.by_system, task), 's');
  add(!job.waits_for.empty(), 'j');
  add(job.is_blocked(task), 'd');
  add(job.request->execution_time.seconds > 0, 'a');
  return letters;
}

} // namespace

std::vector<JobLine> lines_of(const Job& job, const std::vector<TaskPtr>& tasks, bool all_grants) {
  std::vector<JobLine> lines;
  const bool held = job.is_held() || !job.waits_for.empty();
  std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> waiting;
  const auto add = [&](const std::string& letters, std::int64_t task) {
    waiting[{letters, holds_of(job, task)}].push_back(task);
  };
  for (const auto& range : job.fresh)
    for (const auto task : TaskNumbers(range))
      add(held || job.is_blocked(task) || job.task_holds.contains(task) ? "hqw" : "qw", task);
  for (const auto& task : tasks)
    if (task->is_active()) lines.push_back(running_line(job, *task, all_grants));
    else add(state_letters(*task, held || job.is_held(task->number)), task->number);
  for (auto& [state, numbers] : waiting) {
    const auto& [letters, holds] = state;
    std::sort(numbers.begin(), numbers.end());
    lines.push_back({letters,
                     job.submitted,
                     {},
                     least_slots(job.request),
                     job.request->tasks.is_array() ? print_tasks(numbers) : "",
                     false,
                     false,
                     letters.find('h') != letters.npos,
                     {},
                     {},
                     holds});
  }
  return lines;
}

} // namespace almanac
