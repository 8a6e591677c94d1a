#include "core/planning/commands/targets.hpp"

#include "core/base/lookup.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/pattern.hpp"
#include "core/text/ranges.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/values.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace almanac {

namespace {

std::int64_t size_of(const std::string& text) { return static_cast<std::int64_t>(text.size()); }

// A job that two targets mean is selected once.
class Selected {
public:
  explicit Selected(std::vector<JobTarget>& targets) : targets_(targets) {}
  void add(JobKey key) {
    if (whole_.insert(key).second) targets_.push_back({key, {}});
  }
  void add(JobKey key, const TaskRange& tasks) {
    if (in_part_.insert({key, tasks.first, tasks.last, tasks.step}).second)
      targets_.push_back({key, {tasks}});
  }

private:
  std::vector<JobTarget>& targets_;
  std::set<JobKey> whole_;
  std::set<std::tuple<JobKey, std::int64_t, std::int64_t, std::int64_t>> in_part_;
};

// A target that begins with a number, perhaps with tasks: "12", "12.3", "12.1-5:2".
struct NumberTarget {
  const Job* job = nullptr; ///< none where it means none
  std::optional<TaskRange> tasks;

  bool has_tasks() const {
    if (!job || !tasks) return job != nullptr;
    const auto& all = job->request->tasks;
    if (!all.is_array()) return tasks->contains(1);
    if (tasks->count() == 1) return all.contains(tasks->first);
    return all.first <= tasks->last && tasks->first <= all.last;
  }
};
bool is_number(const std::string& target) { return all_digits(target.substr(0, target.find('.'))); }
NumberTarget number_target(const State& state, const std::string& target) {
  const auto dot = target.find('.');
  NumberTarget result;
  if (dot != std::string::npos) {
    const auto range = parse_task_range(target.substr(dot + 1));
    if (!range) return result;
    result.tasks = reached(*range);
  }
  if (const auto number = parse_number(target.substr(0, dot)))
    result.job = state.job_by_number(JobNumber{*number});
  return result;
}
// "1.5" may be a name: it is one where no job has such a task.
bool is_name(const State& state, const std::string& target) {
  return !is_number(target) || (!all_digits(target) && !number_target(state, target).has_tasks());
}

// Anything else is a name, which is looked up.
bool needs_matching(const std::string& target) {
  return is_pattern(target) || target.find_first_of("\\&|!()") != std::string::npos;
}

// "name.1-5": the name, and the tasks; nothing where the end is no range of tasks.
std::optional<std::pair<std::string, TaskRange>> named_with_tasks(const std::string& target) {
  const auto dot = target.rfind('.');
  if (dot == std::string::npos || dot == 0) return std::nullopt;
  const auto range = parse_task_range(target.substr(dot + 1));
  if (!range) return std::nullopt;
  return std::pair(target.substr(0, dot), reached(*range));
}

// Each owner is looked for in the lists once.
class Listed {
public:
  Listed(const Configuration& configuration, const std::vector<std::string>& users,
         const Caller& caller)
      : configuration_(configuration), users_(users), caller_(caller) {}
  bool contains(const Caller& owner) {
    const auto [it, is_new] = known_.try_emplace({owner.user, primary_group(owner)});
    if (is_new) it->second = owner_listed(configuration_, users_, owner, caller_);
    return it->second;
  }

private:
  const Configuration& configuration_;
  const std::vector<std::string>& users_;
  const Caller& caller_;
  std::map<std::pair<std::string, std::string>, bool> known_;
};

// About as many nanoseconds as it takes to compare each of the patterns with so many names.
bool take_too_long(const std::vector<std::string>& patterns, std::int64_t names,
                   std::int64_t bytes_of_names) {
  constexpr std::int64_t most = 1 << 28, of_pattern = 128, of_name = 4;
  std::int64_t left = most;
  for (const auto& pattern : patterns) {
    if (pattern == "*") continue; // operators mean everybody
    const bool is_one = needs_matching(pattern);
    const auto bytes = is_one ? size_of(pattern) : 1;
    if (bytes_of_names > left / std::max<std::int64_t>(1, bytes)) return true;
    left -= bytes * bytes_of_names + names * (is_one ? of_pattern : of_name);
  }
  return left < 0;
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
                  configuration.is_in_userset(entry.substr(1), owner.user, primary_group(owner));
         });
}

bool selects(const std::vector<TaskRange>& ranges, std::int64_t task) {
  return ranges.empty() || std::any_of(ranges.begin(), ranges.end(), [&](auto& range) {
           return range.contains(std::max<std::int64_t>(1, task));
         });
}

std::vector<std::int64_t> waiting_in(const State& state, const Job& job,
                                     const std::vector<TaskRange>& ranges) {
  std::vector<std::int64_t> waiting;
  for (const auto& task : state.tasks_of(job.key))
    if (!task.is_active() && selects(ranges, task.number)) waiting.push_back(task.number);
  for (const auto& range : job.fresh)
    for (const auto& wanted : ranges) {
      if (!range.is_array()) {
        if (wanted.contains(1)) waiting.push_back(range.first);
        continue;
      }
      for (const auto task : TaskNumbers(wanted.count() < range.count() ? wanted : range))
        if (range.contains(task) && wanted.contains(task)) waiting.push_back(task);
    }
  std::sort(waiting.begin(), waiting.end());
  waiting.erase(std::unique(waiting.begin(), waiting.end()), waiting.end());
  return waiting;
}

bool SingleTasks::take(const Job& job, const TaskTally& tally,
                       const std::vector<TaskRange>& ranges) {
  if (ranges.empty()) return true;
  // Working it out takes steps, too.
  auto steps = (static_cast<std::int64_t>(job.fresh.size()) + tally.all()) *
               static_cast<std::int64_t>(ranges.size());
  if (steps > left_) return false;
  for (const auto& range : job.fresh)
    for (const auto& wanted : ranges) steps += std::min(wanted.count(), range.count());
  if (steps > left_) return false;
  left_ -= steps;
  return true;
}

std::optional<Statement> NamesToMatch::obstacle(const std::vector<std::string>& users,
                                                const std::vector<std::string>& names) const {
  if (!take_too_long(users, count_, bytes_of_users_) &&
      !take_too_long(names, count_, bytes_of_names_))
    return std::nullopt;
  return Statement{AnswerCode::too_many_names, {}};
}

namespace {

// The jobs that names and patterns may mean.
class Candidates {
public:
  Candidates(std::vector<JobPtr> jobs, const std::vector<std::string>& targets) // these are names
      : jobs_(std::move(jobs)) {
    for (const auto& target : targets) {
      if (!needs_matching(target)) named_.emplace(target);
      if (const auto part = named_with_tasks(target); part && !needs_matching(part->first))
        named_.emplace(part->first);
    }
    if (named_.size() == 0) return;
    for (const auto& job : jobs_)
      if (auto* keys = named_.find(job->request->name)) keys->push_back(job->key);
  }
  /// False where there are none. A name that ends like a range of tasks is looked for as it is
  /// first; not so an expression, where "!a.2" would mean nearly all jobs.
  bool select(const std::string& target, Selected& selected) const {
    const auto part = named_with_tasks(target);
    const bool means_tasks = part && target.find_first_of("&|!()") != std::string::npos;
    if (!means_tasks && for_each(target, [&](JobKey key) { selected.add(key); })) return true;
    return part && !is_number(target) &&
           for_each(part->first, [&](JobKey key) { selected.add(key, part->second); });
  }

private:
  template <class Take> bool for_each(const std::string& wanted, Take take) const {
    bool found = false;
    if (const auto* keys = named_.find(wanted))
      for (const auto key : *keys) take(key), found = true;
    else if (needs_matching(wanted))
      for (const auto& job : jobs_)
        if (wanted == job->request->name || matches_expression(wanted, job->request->name))
          take(job->key), found = true;
    return found;
  }

  std::vector<JobPtr> jobs_;
  Lookup<std::vector<JobKey>> named_; // a list for each that is meant by its name
};

} // namespace

Result<JobSelection, Statement> select_jobs(const State& state, const Caller& caller,
                                            const std::vector<std::string>& targets,
                                            const std::vector<std::string>& users) {
  std::vector<std::string> names;
  std::copy_if(targets.begin(), targets.end(), std::back_inserter(names),
               [&](const auto& target) { return is_name(state, target); });
  Listed listed(state.configuration(), users, caller);
  std::vector<JobPtr> jobs; // for names, and for users alone
  if (targets.empty() || !names.empty()) {
    NamesToMatch all, of_users;
    std::set<std::string> owners; // each is looked for once
    for (const auto& [key, job] : state.jobs())
      if (owners.insert(job->owner.user).second) all.add(job->owner, job->request->name);
    if (auto why = all.obstacle(users, {})) return *why;
    for (const auto& [key, job] : state.jobs())
      if (users.empty() ? owns(caller, job->owner) : listed.contains(job->owner))
        jobs.push_back(job), of_users.add(job->owner, job->request->name);
    std::set<std::string> patterns; // each is tried once
    for (const auto& target : names) {
      if (!needs_matching(target)) continue;
      patterns.insert(target);
      if (const auto part = named_with_tasks(target)) patterns.insert(part->first);
    }
    if (auto why = of_users.obstacle({}, {patterns.begin(), patterns.end()})) return *why;
  }
  JobSelection selection;
  Selected selected(selection.targets);
  if (targets.empty())
    for (const auto& job : jobs) selected.add(job->key);
  const Candidates candidates(std::move(jobs), names);
  std::map<std::string, bool> tried;
  for (const auto& target : targets) {
    const auto [it, is_new] = tried.try_emplace(target);
    auto& found = it->second;
    if (is_new && is_name(state, target)) found = candidates.select(target, selected);
    if (is_new && !found && is_number(target)) {
      const auto [job, tasks] = number_target(state, target);
      found = job && (users.empty() || listed.contains(job->owner));
      if (found && tasks) selected.add(job->key, *tasks);
      else if (found) selected.add(job->key);
    }
    if (!found) selection.unknown.push_back(excerpt(target));
  }
  return selection;
}

} // namespace almanac
