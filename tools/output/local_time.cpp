#include "tools/output/local_time.hpp"

#include <ctime>

namespace almanac {

std::string print_local(Instant instant, const char* format) {
  if (instant.is_never()) return "INFINITY";
  const std::time_t time = instant.seconds;
  std::tm local{};
  ::localtime_r(&time, &local);
  char text[64];
  std::strftime(text, sizeof text, format, &local);
  return text;
}

std::string print_time(Instant instant) { return print_local(instant, "%m/%d/%Y %H:%M:%S"); }
std::string print_iso_time(Instant instant) { return print_local(instant, "%Y-%m-%dT%H:%M:%S"); }

} // namespace almanac
