// What the records say about the tasks of a host, for reconciliation (design.md section 5): the
// actors may not have told the host's actor yet what it has to want. And what is made of an end
// that a host reports.
#pragma once

#include "core/execution/reconcile.hpp"
#include "core/planning/state.hpp"
#include "core/planning/valid_input.hpp"

#include <optional>

namespace almanac {

/// The active tasks with a part on the host.
std::vector<WantedTask> tasks_wanted_on(const State& state, const std::string& host);

/// Whether an attempt that is not active is surely over: these records know how it came to its end.
/// Otherwise they are older than the attempt.
bool is_over(const State& state, const Attempt& attempt);

/// What the first host of a task, where the job's script runs, says of its end. `began`: of the
/// user's process. `processes`: as in TaskEnded.
ValidInput fact_of_end(const LaunchFailed& end, bool began, std::vector<ProcessEnd> processes = {});

/// What another host of the task says of the end of its part there: it could not be launched, or it
/// is lost. How the task ended, and whether it runs again, is the first host's to say. Nothing
/// where the part was cleared, as all parts are at the end.
std::optional<ValidInput> fact_of_part(const LaunchFailed& end, bool began);

} // namespace almanac
