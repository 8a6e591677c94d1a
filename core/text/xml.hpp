// Text inside XML.
#pragma once

#include <string>
#include <string_view>

namespace almanac {

/// As content of an element, or of an attribute in quotes of either kind. What XML cannot hold is
/// written as printable() has it.
std::string xml_text(std::string_view text);

} // namespace almanac
