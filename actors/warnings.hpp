// Warnings that somebody else can cause: the first of each taker in a minute, with the number of
// those that followed. Who is turned away ten thousand times a second does not fill the log.
//
// They belong to the process, as the log does. From any thread.
#pragma once

#include <string>
#include <string_view>

namespace almanac {

/// Warns of what `who` has caused; false when it is only counted. How many were is told after the
/// minute, beside the next warning or by tell_left_out_warnings().
bool warn_of(const std::string& who, std::string_view line);

void tell_left_out_warnings();

} // namespace almanac
