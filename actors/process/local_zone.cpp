#include "actors/process/local_zone.hpp"

#include <ctime>

namespace almanac {

namespace {

constexpr std::int64_t day = 86400;

std::int64_t ahead_at(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm local{};
  ::localtime_r(&time, &local);
  return local.tm_gmtoff;
}

// The first second in (from, to] whose offset is that of `to`; between them it changes once.
std::int64_t change_between(std::int64_t from, std::int64_t to) {
  const auto before = ahead_at(from);
  while (to - from > 1) {
    const auto middle = from + (to - from) / 2;
    (ahead_at(middle) == before ? from : to) = middle;
  }
  return to;
}

} // namespace

TimeZone local_zone(Instant around) {
  ::tzset();
  TimeZone zone;
  auto at = around.seconds - 366 * day;
  zone.changes.push_back({{at}, ahead_at(at)});
  for (; at < around.seconds + 12 * 366 * day; at += 7 * day)
    if (ahead_at(at + 7 * day) != zone.changes.back().ahead) {
      const auto change = change_between(at, at + 7 * day);
      zone.changes.push_back({{change}, ahead_at(change)});
    }
  return zone;
}

} // namespace almanac
