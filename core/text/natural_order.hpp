// Names that hold numbers, in the order in which people count them: n2 before n10.
#pragma once

#include <compare>
#include <string_view>

namespace almanac {

/// Runs of digits are compared as numbers of any length, all else byte by byte. Names that differ in
/// leading zeros only stand as their bytes do: equal means the same name.
std::strong_ordering natural_order(std::string_view a, std::string_view b);

} // namespace almanac
