// States in colour, for people who asked for it (ALMANAC_COLOR) and look at a terminal. Programs
// never see any.
#pragma once

#include <string>
#include <string_view>

namespace almanac {

enum class Colour { none, shown };

/// `text` in the colour of these letters of the state of a job or an instance: red for an error,
/// yellow for what is suspended, disabled or closed, green for what runs, nothing for what waits.
std::string in_colour_of(std::string_view state, const std::string& text, Colour colour);

} // namespace almanac
