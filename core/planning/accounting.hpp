// The accounting records of tasks that have ended, and of those that never ran.
#pragma once

#include "core/job/exit_record.hpp"
#include "core/planning/state.hpp"

namespace almanac::rules {

/// Of a task that ran or was to, while it still holds its place; its owner gets a mail.
void write_accounting(State& state, const Job& job, const Task& task, const ExitRecord& record,
                      Instant now);

/// Of one that was never anywhere, as Grid Engine names it.
void account_waiting(State& state, const Job& job, std::int64_t task, const ExitRecord& record,
                     Instant now);

} // namespace almanac::rules
