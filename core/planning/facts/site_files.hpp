// Files that the site writes and the planner goes by (core/configuration/objects/site_file.hpp).
//
// Source: spec/plus.md P6.2, P7.1 to P7.4.
#pragma once

#include "core/planning/state.hpp"
#include "core/planning/input.hpp"

#include <optional>
#include <string>

namespace almanac::rules {

/// Takes the text, or keeps the old one and notes what is wrong with this one: that comes back, for the
/// log. A text that is known changes nothing. Names of other files mean nothing.
std::optional<std::string> site_file_read(State& state, const SiteFileRead& fact, Instant now);

} // namespace almanac::rules
