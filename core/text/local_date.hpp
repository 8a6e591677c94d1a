// A moment as the clocks of a zone show it.
#pragma once

#include "core/base/time.hpp"
#include "core/base/time_zone.hpp"

#include <string>

namespace almanac {

/// MM/DD/YYYY hh:mm:ss, as qrstat prints it.
std::string print_local_date(Instant at, const TimeZone& zone);

} // namespace almanac
