// Which jobs and reservations a list of ids, names and patterns means (spec/cli.md section 2).
#pragma once

#include "core/answer/statement.hpp"
#include "core/planning/state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct JobTarget {
  JobKey key;
  std::vector<TaskRange> tasks; ///< empty: the whole job
};

struct JobSelection {
  std::vector<JobTarget> targets;
  std::vector<std::string> unknown; ///< targets that nothing matches
};

/// "12", "12.3", "12.1-5:2", names and expressions of patterns ("a*|b", "!c"), also with tasks
/// ("name.3"). "1.5" is a name where job 1 has no task 5. Names without `users` mean the caller's own jobs;
/// `users` ("$user" is the caller, patterns allowed) narrow, and stand alone for all of their jobs.
/// An error where that would take too long: everybody waits meanwhile.
Result<JobSelection, Statement> select_jobs(const State& state, const Caller& caller,
                                            const std::vector<std::string>& targets,
                                            const std::vector<std::string>& users);

/// The tasks of the job that wait, also in error, and that the ranges mean: ascending.
std::vector<std::int64_t> waiting_in(const State& state, const Job& job,
                                     const std::vector<TaskRange>& ranges);

/// Whether the ranges mean the task; none mean all. A job that is no array is its own task 1.
bool selects(const std::vector<TaskRange>& ranges, std::int64_t task);

/// Single tasks are looked at one by one while everybody waits: one request names a million of them
/// at the most; one that is named twice counts twice.
class SingleTasks {
public:
  /// Whether those may be looked at, too. To be asked before the first look.
  bool take(const Job& job, const TaskTally& tally, const std::vector<TaskRange>& ranges);

  static constexpr std::int64_t most = 1'000'000;

private:
  std::int64_t left_ = most;
};

/// What patterns are to be tried on: names of jobs or reservations, and of their owners.
class NamesToMatch {
public:
  NamesToMatch() = default;
  NamesToMatch(std::int64_t count, std::int64_t bytes_of_users, std::int64_t bytes_of_names)
      : count_(count), bytes_of_users_(bytes_of_users), bytes_of_names_(bytes_of_names) {}
  void add(const Caller& owner, const std::string& name) {
    ++count_;
    bytes_of_users_ += static_cast<std::int64_t>(owner.user.size());
    bytes_of_names_ += static_cast<std::int64_t>(name.size());
  }
  /// Why that would take too long.
  std::optional<Statement> obstacle(const std::vector<std::string>& users,
                                    const std::vector<std::string>& names) const;

private:
  std::int64_t count_ = 0, bytes_of_users_ = 0, bytes_of_names_ = 0;
};

/// Whether `user` is meant by a wc_user_list of `caller`: names and patterns.
bool user_listed(const std::vector<std::string>& users, const std::string& user,
                 const Caller& caller);
/// The same for those who know the configuration: @lists, too.
bool owner_listed(const Configuration& configuration, const std::vector<std::string>& users,
                  const Caller& owner, const Caller& caller);

} // namespace almanac
