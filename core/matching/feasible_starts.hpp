// All starts at which a reservation would be granted, a slice at a time.
//
// 1. A start is feasible if the request has a place on instances that stay the same for all of its
//    length, as find_place() finds it: now, and as long as nothing else is booked.
// 2. That changes only where a point of a diagram, or an hour of a calendar, enters the window or
//    leaves it. These times are tried; between two of them nothing changes. Instants are whole
//    seconds.
// 3. The site's own conditions on hosts are asked at these times, too, and at the last start. If they
//    depend on when it is, also at each hour of lead time (M4.10): what they would say between these
//    times is not known.
// 4. It points into the state: once that has changed it may only be destroyed.
//
// Source: spec/metascheduler.md section 4 (M4.1, M4.2, M4.6 to M4.10).
#pragma once

#include "core/matching/cell_slots.hpp"
#include "core/matching/reservation_places.hpp"

#include <cstddef>
#include <set>
#include <vector>

namespace almanac {

/// Both ends are starts of it.
struct StartRange {
  Instant first, last;
  auto operator<=>(const StartRange&) const = default;
};

class FeasibleStarts {
public:
  /// Among those starts, for at least one second.
  FeasibleStarts(const Snapshot& state, Demand demand, Duration length, StartRange among,
                 Instant now);

  /// Looks for a place so many times more; true if there is more to look at.
  bool look(int times);
  /// Ascending; they do not touch. After the last look.
  const std::vector<StartRange>& ranges() const { return ranges_; }

private:
  void add_time(Instant time);
  void add_diagram(const Diagram* diagram);
  void add_pools();
  void add_whole_hosts();
  void add_hours();
  void add_times_of_policy();
  void note(std::size_t time);
  std::size_t first_possible(std::size_t time) const;

  const Snapshot& state_;
  Demand demand_;
  Duration length_;
  StartRange among_;
  Instant now_;
  Supply supply_;
  CellSlots cell_slots_;
  std::set<const Diagram*> seen_;
  std::vector<Instant> times_; ///< ascending; the first is that of `among_`
  std::size_t next_ = 0;
  std::vector<StartRange> ranges_;
};

} // namespace almanac
