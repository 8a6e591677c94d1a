// The time zone of this machine, as the C library knows it.
#pragma once

#include "core/base/time_zone.hpp"

namespace almanac {

/// From a year before `around` to twelve years behind it.
TimeZone local_zone(Instant around);

} // namespace almanac
