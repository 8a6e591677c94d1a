#include "core/planning/selection.hpp"

#include "core/planning/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/pattern.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/values.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace almanac {

namespace {

std::int64_t size_of(const std::string& text) { return static_cast<std::int64_t>(text.size()); }

// A job that two targets mean is selected once.
class Selected {
public:
  explicit Selected(std::vector<JobTarget>& targets) : targets_(targets) {}
  void add(std::int64_t key) {
    if (whole_.insert(key).second) targets_.push_back({key, {}});
  }
  void add(std::int64_t key, const TaskRange& tasks) {
    if (in_part_.insert({key, tasks.first, tasks.last, tasks.step}).second)
      targets_.push_back({key, {tasks}});
  }

private:
  std::vector<JobTarget>& targets_;
  std::set<std::int64_t> whole_;
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>> in_part_;
};

// A target that is a number, perhaps with tasks: "12", "12.3", "12.1-5:2".
struct NumberTarget {
  std::optional<std::int64_t> number;
  std::optional<TaskRange> tasks;
};
bool is_number(const std::string& target) { return all_digits(target.substr(0, target.find('.'))); }
Result<NumberTarget> parse_number_target(const std::string& target) {
  const auto dot = target.find('.');
  NumberTarget result;
  if (const auto number = parse_number(target.substr(0, dot))) result.number = *number;
  if (dot == std::string::npos) return result;
  auto range = parse_task_range(target.substr(dot + 1));
  if (!range) return range.error();
  result.tasks = reached(*range);
  return result;
}

std::vector<JobPtr> jobs_of(const State& state, const Caller& caller,
                            const std::vector<std::string>& users) {
  std::vector<JobPtr> jobs;
  for (const auto& [key, job] : state.jobs())
    if (users.empty() ? owns(caller, job->owner)
                      : owner_listed(state.configuration, users, job->owner, caller))
      jobs.push_back(job);
  return jobs;
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

std::optional<std::string> too_long_to_match(const std::vector<std::string>& patterns,
                                             std::int64_t bytes_of_names) {
  constexpr std::int64_t most_steps = 1 << 27; // a tenth of a second and more
  std::int64_t bytes = 0;
  for (const auto& pattern : patterns)
    bytes += is_pattern(pattern) ? static_cast<std::int64_t>(pattern.size()) : 1;
  if (bytes == 0 || bytes_of_names <= most_steps / bytes) return std::nullopt;
  return "so many names and patterns take too long to compare: name fewer at a time";
}

Result<JobSelection> select_jobs(const State& state, const Caller& caller,
                                 const std::vector<std::string>& targets,
                                 const std::vector<std::string>& users) {
  std::vector<std::string> names;
  std::copy_if(targets.begin(), targets.end(), std::back_inserter(names),
               [](const std::string& target) { return !is_number(target); });
  std::vector<JobPtr> candidates; // for names, and for users alone
  if (targets.empty() || !names.empty()) {
    std::int64_t bytes_of_users = 0, bytes_of_names = 0;
    for (const auto& [key, job] : state.jobs()) bytes_of_users += size_of(job->owner.user);
    if (auto why = too_long_to_match(users, bytes_of_users)) return Error{*why};
    candidates = jobs_of(state, caller, users);
    for (const auto& job : candidates) bytes_of_names += size_of(job->request.name);
    if (auto why = too_long_to_match(names, bytes_of_names)) return Error{*why};
  }
  JobSelection selection;
  Selected selected(selection.targets);
  if (targets.empty())
    for (const auto& job : candidates) selected.add(job->key);
  for (const auto& target : targets) {
    bool found = false; // perhaps for the second time
    if (is_number(target)) {
      const auto wanted = parse_number_target(target);
      const auto* job = wanted && wanted->number ? state.job_by_number(*wanted->number) : nullptr;
      found =
          job && (users.empty() || owner_listed(state.configuration, users, job->owner, caller));
      if (found && wanted->tasks) selected.add(job->key, *wanted->tasks);
      else if (found) selected.add(job->key);
    } else {
      for (const auto& job : candidates) {
        if (!matches_pattern(target, job->request.name)) continue;
        found = true;
        selected.add(job->key);
      }
    }
    if (!found) selection.unknown.push_back(excerpt(target));
  }
  return selection;
}

} // namespace almanac
