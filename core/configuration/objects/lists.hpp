// Lists as the values of attributes are written.
#pragma once

#include "core/base/result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// "a=1,b=2" or NONE. Blanks may separate as well.
Result<std::map<std::string, std::string>> parse_value_list(std::string_view text);
/// Words separated by commas or blanks; NONE is empty.
std::vector<std::string> parse_name_list(std::string_view text);
std::string print_name_list(const std::vector<std::string>& names);

} // namespace almanac
