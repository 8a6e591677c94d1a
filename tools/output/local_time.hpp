// Times as people read them: in the time zone of whoever looks.
#pragma once

#include "core/base/time.hpp"

#include <string>

namespace almanac {

std::string print_local(Instant instant, const char* format); ///< as of strftime
std::string print_time(Instant instant);                      ///< MM/DD/YYYY hh:mm:ss
std::string print_iso_time(Instant instant);                  ///< YYYY-MM-DDThh:mm:ss

} // namespace almanac
