// What stops a task and lets it go on.
//
// 1. A task has up to four causes to be suspended: its user or an operator said so, one of its queue
//    instances is suspended, queues above that one have its slots (subordination.hpp), or a suspend
//    threshold is reached. It goes on when none is left (spec/cli.md section 4, qmod).
// 2. It keeps its slots, and its limit goes on to count (spec/scheduling.md section 13).
// 3. A job of a checkpointing environment may leave its place instead (migration.hpp).
// 4. Only what is active is suspended; a task that gives its place back has no cause left.
#pragma once

#include "core/planning/state.hpp"

#include <cstddef>
#include <set>
#include <string>

namespace almanac::rules {

/// Tasks on these hosts stop and go on with any of the instances they hold, and with their suspend
/// thresholds. How many were looked at.
std::size_t follow_suspension(State& state, const std::set<std::string>& hosts);

/// An active task is suspended by its user, or that cause is taken away.
void suspend_by_user(State& state, const TaskId& id, bool is_suspended);
/// The same for queues above its own, slot by slot.
void suspend_by_slots(State& state, const TaskId& id, bool is_suspended);

} // namespace almanac::rules
