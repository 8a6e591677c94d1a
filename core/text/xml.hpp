// Text inside XML.
#pragma once

#include "core/base/attribute.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// As content of an element, or of an attribute in quotes of either kind. What XML cannot hold is
/// written as printable() has it.
std::string xml_text(std::string_view text);

/// <name>text</name>
std::string xml_element(std::string_view name, std::string_view text);
/// <name key="value"/>
std::string xml_element(std::string_view name, const std::vector<Attribute>& attributes,
                        char quote = '"');
/// <name key="value">text</name>
std::string xml_element(std::string_view name, const std::vector<Attribute>& attributes,
                        std::string_view text, char quote = '"');

} // namespace almanac
