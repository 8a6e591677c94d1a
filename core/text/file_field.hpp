// Lines of the files that administrators' programs read: accounting and reporting.
#pragma once

#include <string>

namespace almanac {

/// As a field of a line whose fields are separated by colons: one in it would shift the others, and
/// a line break would end them.
std::string file_field(std::string text);

} // namespace almanac
