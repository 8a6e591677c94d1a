// Which operating system an architecture means: "lx-amd64" is linux (spec/plus.md P3.18).
#pragma once

#include <string>
#include <string_view>

namespace almanac {

/// In small letters; of an architecture that is not known its own first part.
std::string operating_system_of(std::string_view architecture);

/// Whether `wanted` names the operating system, its short form in the architecture, or all of that.
/// Case does not count.
bool is_operating_system(std::string_view architecture, std::string_view wanted);

/// An expression for the architectures that mean this system, as a request of `arch` has it: of
/// "linux" "linux|linux-*|lx|lx-*|ulx|ulx-*". `system` has no characters of patterns in it.
std::string architectures_of(std::string_view system);

} // namespace almanac
