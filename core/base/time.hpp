// Points and lengths of time, in whole seconds.
//
// 1. Windows are half-open, [start, end): bookings may meet without overlapping.
// 2. Arithmetic saturates at `never` and `endless`: what has no end stays without end.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace almanac {

struct Duration {
  std::int64_t seconds = 0;

  static constexpr Duration endless() { return {std::numeric_limits<std::int64_t>::max()}; }
  constexpr bool is_endless() const { return *this == endless(); }
  constexpr auto operator<=>(const Duration&) const = default;
};

/// Nothing is asked for that takes longer, or is held or reserved for longer.
inline constexpr Duration hundred_years{36'525LL * 24 * 3600};

/// Seconds since the epoch.
struct Instant {
  std::int64_t seconds = 0;

  static constexpr Instant never() { return {std::numeric_limits<std::int64_t>::max()}; }
  constexpr bool is_never() const { return *this == never(); }
  constexpr auto operator<=>(const Instant&) const = default;
};

constexpr Duration operator+(Duration a, Duration b) {
  if (a.is_endless() || b.is_endless()) return Duration::endless();
  if (b.seconds > 0 && a.seconds > Duration::endless().seconds - b.seconds)
    return Duration::endless();
  return {a.seconds + b.seconds};
}
constexpr Duration operator-(Duration a, Duration b) {
  return a.is_endless() ? a : Duration{a.seconds - b.seconds};
}
constexpr Instant operator+(Instant at, Duration length) {
  if (at.is_never() || length.is_endless()) return Instant::never();
  if (length.seconds > 0 && at.seconds > Instant::never().seconds - length.seconds)
    return Instant::never();
  return {at.seconds + length.seconds};
}
constexpr Instant operator-(Instant at, Duration length) {
  return at.is_never() ? at : Instant{at.seconds - length.seconds};
}
constexpr Duration operator-(Instant to, Instant from) {
  return to.is_never() ? Duration::endless() : Duration{to.seconds - from.seconds};
}

struct Window {
  Instant start;
  Instant end;

  constexpr Duration length() const { return end - start; }
  constexpr bool contains(Instant at) const { return start <= at && at < end; }
  constexpr bool overlaps(const Window& other) const {
    return start < other.end && other.start < end;
  }
  constexpr bool operator==(const Window&) const = default;
};

} // namespace almanac
