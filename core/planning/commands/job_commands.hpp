// qhold, qrls, qmod -cj; and what all commands over jobs refuse.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

Answer change_hold(State& state, const Caller& caller, const ChangeHold& command);
Answer clear_job_errors(State& state, const Caller& caller, const ClearJobErrors& command);

/// Nothing of what is listed belongs to them.
Answer no_jobs_of(const std::vector<std::string>& users);

/// Of one request that would have too much written anew; see Rewriting.
std::string too_much_from(const std::string& job_number);

/// Likewise; see SingleTasks.
std::string too_many_tasks_from(const std::string& job_number);

} // namespace almanac::rules
