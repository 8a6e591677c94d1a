#include "actors/master/job_frames.hpp"

#include "actors/master/record_views.hpp"

namespace almanac {

door::JobView whole(ListedJob entry) {
  door::JobView view{view_of(*entry.job, entry.tasks), entry.priority,
                     std::move(entry.department),      std::move(entry.attracted_by),
                     std::move(entry.predecessors),    std::move(entry.successors)};
  for (auto& task : view.job.tasks) {
    if (const auto known = entry.usage.find(task.number); known != entry.usage.end())
      task.usage = {known->second};
    if (const auto bound = entry.bindings.find(task.number); bound != entry.bindings.end())
      task.binding = std::move(bound->second);
  }
  return view;
}

door::JobView withheld(ListedJob entry) {
  auto view = whole(std::move(entry));
  auto& request = view.job.request.edit();
  request.command.clear();
  request.arguments.clear();
  for (auto* list : {&request.environment, &request.origin})
    for (auto& variable : *list) variable.value.clear();
  return view;
}

door::JobView brief(ListedJob entry) {
  return {brief_view_of(*entry.job, entry.tasks), entry.priority, std::move(entry.department),
          std::move(entry.attracted_by)};
}

std::vector<JobLine> lines_with_usage(const ListedJob& entry, bool all_grants) {
  auto lines = lines_of(*entry.job, entry.tasks, all_grants);
  auto line = lines.begin();
  for (const auto& task : entry.tasks) {
    if (!task->is_active()) continue;
    if (const auto known = entry.usage.find(task->number); known != entry.usage.end())
      line->usage = {known->second};
    ++line;
  }
  return lines;
}

door::JobLines as_lines(ListedJob entry, bool all_grants, const std::set<std::string>& apart) {
  const JobRequest& request = entry.job->request;
  auto lines = entry.lines ? std::move(*entry.lines) : lines_with_usage(entry, all_grants);
  for (auto& line : lines) line.has_spare_slave = apart.contains(line.pe);
  return {entry.job->number,
          entry.priority,
          request.name,
          entry.job->owner.user,
          request.project,
          std::move(entry.department),
          request.priority,
          request.override_tickets,
          request.deadline,
          std::move(lines),
          std::move(entry.requests),
          request.job_share};
}

} // namespace almanac
