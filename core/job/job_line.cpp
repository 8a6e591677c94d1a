#include "core/job/job_line.hpp"

#include "core/text/task_numbers.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

JobLine running_line(const Job& job, const Task& task, bool all_grants) {
  JobLine line;
  line.state = state_letters(task, false);
  line.time = task.started.seconds ? task.started : job.submitted;
  for (const auto& grant : task.grants) line.slots += grant.slots;
  if (all_grants) line.grants = task.grants;
  else line.grants = {task.grants.front()};
  if (task.number > 0) line.tasks = std::to_string(task.number);
  line.running = true, line.suspended = task.suspended, line.pe = task.pe;
  return line;
}

// `letters_of_state`: of the state of those that wait.
std::string holds_of(const Job& job, const std::string& letters_of_state) {
  std::string letters;
  const auto add = [&](bool is_so, char letter) {
    if (is_so) letters += letter;
  };
  add(job.held_by_user, 'u'), add(job.held_by_operator, 'o'), add(job.held_by_system, 's');
  add(!job.waits_for.empty(), 'j'), add(job.request->execution_time.seconds > 0, 'a');
  const bool is_held = letters_of_state.find('h') != std::string::npos;
  add(is_held && !job.waits_for_tasks.empty(), 'd');
  return letters;
}

} // namespace

std::vector<JobLine> lines_of(const Job& job, const std::vector<TaskPtr>& tasks, bool all_grants) {
  std::vector<JobLine> lines;
  const bool held = job.is_held() || !job.waits_for.empty();
  std::map<std::string, std::vector<std::int64_t>> waiting;
  for (const auto& range : job.fresh)
    for (const auto task : TaskNumbers(range))
      waiting[held || job.is_blocked(task) || job.task_holds.contains(task) ? "hqw" : "qw"]
          .push_back(task);
  for (const auto& task : tasks)
    if (task->is_active()) lines.push_back(running_line(job, *task, all_grants));
    else waiting[state_letters(*task, held || job.is_held(task->number))].push_back(task->number);
  for (auto& [letters, numbers] : waiting) {
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
                     holds_of(job, letters)});
  }
  return lines;
}

} // namespace almanac
