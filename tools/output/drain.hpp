// What is told of a queue instance that qmod -d has disabled.
#pragma once

#include "schema/door/views.hpp"

#include <string>

namespace almanac {

/// "disabled by root since 11/26/2026 10:00:00 until 11/26/2026 18:00:00: new disks"; "" where
/// nothing is known. Times are local.
std::string drain_in_words(const door::DrainView& drain);

} // namespace almanac
