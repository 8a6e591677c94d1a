// Which jobs and reservations a list of ids, names and patterns means (spec/cli.md section 2).
#pragma once

#include "core/planning/state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct JobTarget {
  std::int64_t key = 0;
  std::vector<TaskRange> tasks; ///< empty: the whole job
};

struct JobSelection {
  std::vector<JobTarget> targets;
  std::vector<std::string> unknown; ///< targets that nothing matches
};

/// "12", "12.3", "12.1-5:2", names and patterns. Names without `users` mean the caller's own jobs;
/// `users` ("$user" is the caller, patterns allowed) narrow, and stand alone for all of their jobs.
/// An error where that would take too long: everybody waits meanwhile.
Result<JobSelection> select_jobs(const State& state, const Caller& caller,
                                 const std::vector<std::string>& targets,
                                 const std::vector<std::string>& users);

/// Why names and patterns are not tried on names of so many bytes together.
std::optional<std::string> too_long_to_match(const std::vector<std::string>& patterns,
                                             std::int64_t bytes_of_names);

/// Whether `user` is meant by a wc_user_list of `caller`: names and patterns.
bool user_listed(const std::vector<std::string>& users, const std::string& user,
                 const Caller& caller);
/// The same for those who know the configuration: @lists, too.
bool owner_listed(const Configuration& configuration, const std::vector<std::string>& users,
                  const Caller& owner, const Caller& caller);

} // namespace almanac
