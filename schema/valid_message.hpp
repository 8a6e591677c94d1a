// Whether what was said in a session can be worked with: asked before anybody hears it.
//
// 1. Names and reasons are short texts that may stand in a log; numbers are within bounds; lists
//    have an end.
// 2. Orders of the master are signed, and the master is trusted: of these nothing is asked. Orders
//    of another agent, which may order parts of a job, are checked.
#pragma once

#include "core/base/result.hpp"
#include "schema/session_messages.hpp"

namespace almanac {

/// The error says what is wrong, not what was said.
Outcome valid_message(const session::Message& message);

} // namespace almanac
