// The answer to a request at a door that is not valid: asked before anything is done with it.
//
// Commands, and questions about them, have none here: the gate looks through them to make what the
// planner takes (core/planning/valid_input.hpp).
#pragma once

#include "core/answer/answer.hpp"
#include "schema/door/requests.hpp"

#include <optional>

namespace almanac::door {

/// Nothing if the request can be worked with.
std::optional<Answer> objection(const RequestBody& body);

} // namespace almanac::door
