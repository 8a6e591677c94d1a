// load_sensor of the cell or of a host: programs that report more load values
// (spec/objects.md O7.4).
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Absolute paths, at most 16, each once; NONE is empty. They take no arguments.
Result<std::vector<std::string>> parse_load_sensors(const std::string& text);

} // namespace almanac
