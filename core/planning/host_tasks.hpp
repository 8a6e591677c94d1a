// What the records say about the tasks of a host, for reconciliation (design.md section 5): the
// actors may not have told the host's actor yet what it has to want.
#pragma once

#include "core/host/reconcile.hpp"
#include "core/planning/state.hpp"

namespace almanac {

/// The active tasks with a part on the host.
std::vector<WantedTask> tasks_wanted_on(const State& state, const std::string& host);

/// Whether an attempt that is not active is surely over: these records know how it came to its end.
/// Otherwise they are older than the attempt.
bool is_over(const State& state, const Attempt& attempt);

} // namespace almanac
