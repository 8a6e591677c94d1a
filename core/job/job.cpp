#include "core/job/job.hpp"

#include "core/text/task_numbers.hpp"
#include "core/text/values.hpp"

#include <algorithm>
#include <optional>

namespace almanac {

namespace {

std::optional<Duration> time_request(const JobRequest& request, const char* name) {
  for (const auto& resource : request.resources)
    if (resource.name == name)
      if (auto value = parse_duration(resource.value)) return *value;
  return std::nullopt;
}

} // namespace

const Task* Job::find(std::int64_t task) const {
  const auto it =
      std::find_if(tasks.begin(), tasks.end(), [&](auto& t) { return t.number == task; });
  return it == tasks.end() ? nullptr : &*it;
}
Task* Job::find(std::int64_t task) { return const_cast<Task*>(std::as_const(*this).find(task)); }

std::int64_t Job::active_tasks() const {
  return std::count_if(tasks.begin(), tasks.end(), [](auto& t) { return t.is_active(); });
}

std::int64_t Job::waiting_tasks() const {
  std::int64_t count = std::count_if(tasks.begin(), tasks.end(),
                                     [](auto& t) { return t.state == TaskState::pending; });
  for (const auto& range : fresh) count += range.count();
  return count;
}

std::int64_t Job::resting_tasks() const {
  return std::count_if(tasks.begin(), tasks.end(), [](auto& t) { return t.rests(); });
}

bool Job::take_fresh(std::int64_t task) {
  for (auto it = fresh.begin(); it != fresh.end(); ++it) {
    if (!it->contains(task)) continue;
    const auto range = *it;
    auto at = fresh.erase(it);
    if (task < range.last) at = fresh.insert(at, {task + range.step, range.last, range.step});
    if (task > range.first) fresh.insert(at, {range.first, task - range.step, range.step});
    return true;
  }
  return false;
}

std::vector<TaskRange> tasks_without(const std::vector<TaskRange>& ranges,
                                     const std::vector<std::int64_t>& gone) {
  std::vector<TaskRange> left;
  for (const auto& range : ranges) {
    auto first = range.first;
    const auto end = std::upper_bound(gone.begin(), gone.end(), range.last);
    for (auto it = std::lower_bound(gone.begin(), end, range.first); it != end; ++it) {
      if (!range.contains(*it)) continue;
      if (first < *it) left.push_back({first, *it - range.step, range.step});
      first = *it + range.step;
    }
    if (first <= range.last) left.push_back({first, range.last, range.step});
  }
  return left;
}

std::int64_t Job::next_waiting() const {
  for (const auto& task : tasks)
    if (task.state == TaskState::pending && !task.deleting && !task.rests()) return task.number;
  return fresh.empty() ? -1 : fresh.front().first;
}

std::vector<std::int64_t> Job::next_waiting(std::size_t most) const {
  std::vector<std::int64_t> next;
  for (const auto& task : tasks) {
    if (next.size() >= most) return next;
    if (task.state == TaskState::pending && !task.deleting && !task.rests())
      next.push_back(task.number);
  }
  for (const auto& range : fresh)
    for (const auto number : TaskNumbers(range)) {
      if (next.size() >= most) return next;
      next.push_back(number);
    }
  return next;
}

Task& Job::materialise(std::int64_t number) {
  if (auto* task = find(number)) return *task;
  check(take_fresh(number), "a task to be placed is known");
  const auto at =
      std::find_if(tasks.begin(), tasks.end(), [&](auto& t) { return t.number > number; });
  Task task;
  task.number = number;
  return *tasks.insert(at, task);
}

Duration asked_length(const JobRequest& request) {
  const auto hard = time_request(request, "h_rt"), soft = time_request(request, "s_rt");
  if (hard && soft) return std::max(*hard, *soft);
  return hard ? *hard : soft.value_or(Duration::endless());
}

Duration asked_limit(const JobRequest& request) {
  return time_request(request, "h_rt").value_or(Duration::endless());
}

Duration asked_soft_limit(const JobRequest& request) {
  return time_request(request, "s_rt").value_or(Duration::endless());
}

Duration sure_length(const JobRequest& request) {
  return asked_limit(request).is_endless() ? Duration::endless() : asked_length(request);
}

std::int64_t least_slots(const JobRequest& request) {
  return request.slots.empty() ? 1 : lowest(request.slots);
}

std::string state_letters(const Task& task, bool held) {
  std::string letters;
  switch (task.state) {
  case TaskState::error: return held ? "Ehqw" : "Eqw";
  case TaskState::pending:
    if (task.restarted) return held ? "hRwq" : "Rq";
    return held ? "hqw" : "qw";
  case TaskState::sent:
  case TaskState::running: break;
  }
  if (task.deleting) letters += 'd';
  if (task.restarted) letters += 'R';
  const std::string suspended = task.throttled ? "T" : "S";
  if (task.suspended)
    return letters + (task.state == TaskState::sent && !task.restarted ? "t" : "") + suspended;
  return letters + (task.state == TaskState::sent ? "t" : "r");
}

} // namespace almanac
