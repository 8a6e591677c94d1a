// Where and when one waiting job can have its place: now, or at the earliest time.
#pragma once

#include "core/planning/assignment.hpp"

#include <optional>
#include <vector>

namespace almanac {

using Instances = std::vector<const QueueInstance*>;

/// What the jobs of a class ask for, with all names resolved.
struct Wish {
  Demand demand;
  Duration length;        ///< for which its place is booked; endless without a limit
  bool endless = false;   ///< no run-time limit: towards advance reservations it never ends
  std::int64_t slots = 1; ///< the fewest that will do
  Instances suitable;     ///< without an obstacle that lasts; for jobs in no reservation
};
Result<Wish> make_wish(const State& state, const Job& job);

struct Placement {
  Assignment assignment;
  Window window;
};

/// Why nothing of the job can be looked at now, before any place is searched; "" if it can.
std::string obstacle(const State& state, const Job& job, Instant now);

/// A place from now on, among those of `open` (nullptr: among all).
std::optional<Placement> place_now(const State& state, const Job& job, const Wish& wish,
                                   const std::vector<char>* open, Instant now, Reasons& reasons);

/// The earliest start from `from` on, gaps included (ruling in spec/README.md), and there the
/// largest number of slots. For jobs in no reservation.
std::optional<Placement> place_earliest(const State& state, const Wish& wish, Instant from);

} // namespace almanac
