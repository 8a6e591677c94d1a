// Columns as Grid Engine prints them: padded, and cut where a width is fixed. Widths count letters.
#pragma once

#include <string>
#include <string_view>

namespace almanac {

std::string left(std::string_view text, std::size_t width);     ///< padded, never cut
std::string left_cut(std::string_view text, std::size_t width); ///< padded or cut
std::string right(std::string_view text, std::size_t width);
std::string fixed(double value, int decimals);
/// "31.3G" as qhost shows memory; "-" for a negative value.
std::string short_memory(double bytes);
/// Without blanks at the end, with a line break.
std::string line(std::string text);

} // namespace almanac
