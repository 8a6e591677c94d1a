// RESQANDSET and SETRES of metaschedulers (spec/metascheduler.md M4.12 to M4.15).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// Finds the start and prepares or grants the reservation in one input, so that nothing comes between.
/// The answer says when it begins, until when it is held, and whether something is wrong with its
/// hosts (state W). One that is named by a transaction which this user has used is not made twice.
Answer reserve_earliest(State& state, const Caller& caller, const ReserveEarliest& command,
                        Instant now);

} // namespace almanac::rules
