// The accounting records of tasks that have ended, and of those that never ran.
#pragma once

#include "core/job/exit_record.hpp"
#include "core/planning/fact.hpp"
#include "core/planning/state.hpp"

namespace almanac::rules {

/// Of a task that ran or was to, while it still holds its place; its owner gets a mail.
void write_accounting(State& state, const Job& job, const Task& task, const ExitRecord& record,
                      Instant now);

/// Of an active task's processes of qrsh -inherit, where its parallel environment has
/// accounting_summary FALSE (sge_pe(5), spec/cli.md section 11): then what the end that is returned
/// says of use is that of the task's own process alone. They come before the task's record, as Grid
/// Engine writes them.
TaskEnded account_processes(State& state, TaskEnded end, Instant now);

/// Of one that was never anywhere, as Grid Engine names it.
void account_waiting(State& state, const Job& job, std::int64_t task, const ExitRecord& record,
                     Instant now);

} // namespace almanac::rules
