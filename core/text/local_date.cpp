#include "core/text/local_date.hpp"

#include <chrono>
#include <cstdio>

namespace almanac {

std::string print_local_date(Instant at, const TimeZone& zone) {
  const std::chrono::sys_seconds local{std::chrono::seconds(at.seconds + zone.ahead(at))};
  const auto day = std::chrono::floor<std::chrono::days>(local);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(local - day);
  char text[64];
  std::snprintf(text, sizeof text, "%02u/%02u/%04d %02d:%02d:%02d",
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(date.year()), static_cast<int>(time.hours().count()),
                static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
  return text;
}

} // namespace almanac
