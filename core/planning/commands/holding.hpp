// qhold, qrls: user, operator and system holds of jobs, and of single tasks of arrays (spec/cli.md
// section 4).
//
// 1. A user hold is the owner's and an operator's to set and to take away, an operator hold an
//    operator's, a system hold a manager's.
// 2. What runs goes on; its hold counts once it waits again.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// The only target "all" means all jobs that the caller may change.
Answer change_hold(State& state, const Caller& caller, const ChangeHold& command);

} // namespace almanac::rules
