// What is printed of the end of a co-allocation.
#pragma once

#include "core/coallocation/coallocation.hpp"

#include <string>

namespace almanac {

/// A line of tokens for the whole, and where all or some were committed one for each site.
std::string report_lines(const std::string& id, const CoallocationOutcome& outcome);
/// One object in a line.
std::string report_json(const std::string& id, const CoallocationOutcome& outcome);

} // namespace almanac
