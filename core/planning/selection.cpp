#include "core/planning/selection.hpp"

#include "core/text/task_numbers.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool all_digits(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void add(std::vector<JobTarget>& targets, JobTarget target) {
  const bool known = std::any_of(targets.begin(), targets.end(), [&](auto& t) {
    return t.key == target.key && t.tasks == target.tasks;
  });
  if (!known) targets.push_back(std::move(target));
}

} // namespace

bool user_listed(const std::vector<std::string>& users, const std::string& user,
                 const Caller& caller) {
  return std::any_of(users.begin(), users.end(), [&](const std::string& pattern) {
    return pattern == "$user" ? user == caller.user : matches_pattern(pattern, user);
  });
}

bool owner_listed(const Configuration& configuration, const std::vector<std::string>& users,
                  const Caller& owner, const Caller& caller) {
  return user_listed(users, owner.user, caller) ||
         std::any_of(users.begin(), users.end(), [&](const std::string& entry) {
           return entry.starts_with('@') &&
                  configuration.is_in_userset(entry.substr(1), owner.user, owner.group);
         });
}

JobSelection select_jobs(const State& state, const Caller& caller,
                         const std::vector<std::string>& targets,
                         const std::vector<std::string>& users) {
  JobSelection selection;
  const auto wanted_user = [&](const Job& job) {
    return users.empty() || owner_listed(state.configuration, users, job.owner, caller);
  };
  if (targets.empty()) {
    for (const auto& [key, job] : state.jobs())
      if (wanted_user(*job)) selection.targets.push_back({key, {}});
    return selection;
  }
  for (const auto& target : targets) {
    const auto dot = target.find('.');
    const auto head = target.substr(0, dot);
    bool found = false; // perhaps for the second time
    if (all_digits(head)) {
      std::vector<TaskRange> tasks;
      if (dot != std::string::npos) {
        auto range = parse_task_range(target.substr(dot + 1));
        if (!range) {
          selection.unknown.push_back(excerpt(target));
          continue;
        }
        tasks.push_back(reached(*range));
      }
      const auto number = parse_number(head);
      const auto* job = number ? state.job_by_number(*number) : nullptr;
      found = job && wanted_user(*job);
      if (found) add(selection.targets, {job->key, tasks});
    } else {
      for (const auto& [key, job] : state.jobs()) {
        const bool mine = users.empty() ? job->owner.user == caller.user : wanted_user(*job);
        if (!mine || !matches_pattern(target, job->request.name)) continue;
        found = true;
        add(selection.targets, {key, {}});
      }
    }
    if (!found) selection.unknown.push_back(excerpt(target));
  }
  return selection;
}

} // namespace almanac
