// The answer to a request at a door that is not valid: asked before anything is done with it.
#pragma once

#include "schema/door_messages.hpp"

#include <optional>

namespace almanac::door {

/// Nothing if the request can be worked with.
std::optional<Answer> objection(const RequestBody& body);

} // namespace almanac::door
