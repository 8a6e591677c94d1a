// What became of each slot-second of each configured queue instance (spec/beyond.md section 9).
//
// Each is one of these, the first that fits: used inside a reservation, used outside, down,
// maintenance, closed, idle reserved, gap, free. More used than there are (the number of slots was
// lowered) is `over`. Whole seconds, half-open windows.
//
// 1. For the whole cell, all parts minus `over` equal slots x time exactly.
// 2. For a reservation: reserved = used + idle + unavailable. What its tasks hold beyond its grants
//    counts as reserved while they hold it.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/utilization/instance_name.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace almanac {

/// What a queue instance is good for, the stronger the later.
enum class Availability : std::uint8_t {
  open,
  closed, ///< by its calendar, disabled or suspended
  maintenance,
  down ///< its host is unknown, it is in error, or it is gone
};
template <> inline constexpr Availability last_of<Availability> = Availability::down;

/// Numbers are given again after a while.
struct ReservationId {
  ReservationNumber number; ///< 0: none
  Instant submitted;
  auto operator<=>(const ReservationId&) const = default;
};
template <class V> void describe(V& visit, ReservationId& id) {
  visit("number", id.number);
  visit("submitted", id.submitted);
}

/// Slots of an instance for a time.
struct SlotSpan {
  InstanceName instance;
  Window during;
  std::int64_t slots = 0;
};
struct ConfiguredSpan : SlotSpan {
  Availability availability = Availability::open;
};
/// Granted to a reservation, or held by a task in it; of a task outside: no reservation.
struct OccupiedSpan : SlotSpan {
  ReservationId reservation;
};

struct UsageSpans {
  std::vector<ConfiguredSpan> configured; ///< of one instance, one after the other
  std::vector<OccupiedSpan> reserved, used;
  std::vector<OccupiedSpan> gaps; ///< free, and kept from who waits for the sake of that
                                  ///< reservation; of a hold: no reservation
};

/// Of the cell, in slot-seconds.
struct CellUsage {
  std::int64_t used_inside = 0, used_outside = 0;
  std::int64_t down = 0, maintenance = 0, closed = 0;
  std::int64_t idle_reserved = 0;
  std::int64_t gap = 0; ///< free, and kept from waiting jobs by bookings; at least so much
  std::int64_t free = 0;
  std::int64_t over = 0; ///< used beyond what there was

  std::int64_t slots_by_time() const {
    return used_inside + used_outside + down + maintenance + closed + idle_reserved + gap + free -
           over;
  }
  bool operator==(const CellUsage&) const = default;
};
template <class V> void describe(V& visit, CellUsage& u) {
  visit("used_inside", u.used_inside);
  visit("used_outside", u.used_outside);
  visit("down", u.down);
  visit("maintenance", u.maintenance);
  visit("closed", u.closed);
  visit("idle_reserved", u.idle_reserved);
  visit("gap", u.gap);
  visit("free", u.free);
  visit("over", u.over);
}

/// Of one reservation, in slot-seconds.
struct ReservationUsage {
  std::int64_t used = 0, idle = 0;
  std::int64_t unavailable = 0; ///< down, closed, or in use by somebody else
  std::int64_t gap = 0;         ///< of the cell, before it or around it, for its sake

  std::int64_t reserved() const { return used + idle + unavailable; }
  std::int64_t charged() const { return used + idle; }
  bool operator==(const ReservationUsage&) const = default;
};
template <class V> void describe(V& visit, ReservationUsage& u) {
  visit("used", u.used);
  visit("idle", u.idle);
  visit("unavailable", u.unavailable);
  visit("gap", u.gap);
}

struct Usage {
  CellUsage cell;
  std::map<ReservationId, ReservationUsage> reservations;
};

/// What lies in the window. Where several reservations want what is left of an instance, the one with
/// the lower number has it.
Usage usage_of(const UsageSpans& spans, Window window);

} // namespace almanac
