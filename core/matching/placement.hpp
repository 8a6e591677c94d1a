// Where and when one waiting job can have its place: now, or at the earliest time.
#pragma once

#include "core/matching/assignment.hpp"

#include <optional>
#include <vector>

namespace almanac {

/// What the jobs of a class ask for, with all names resolved.
struct ClassRequest {
  Demand demand;
  Duration length;        ///< for which its place is booked; endless without a limit
  bool endless = false;   ///< no run-time limit: towards advance reservations it never ends
  std::int64_t slots = 1; ///< the fewest that will do
  /// Instances without an obstacle that lasts, in their order; for jobs in no reservation.
  std::shared_ptr<const Instances> suitable;
};
Result<ClassRequest> make_class_request(const State& state, const Job& job);

/// Instances without an obstacle that lasts, in their order; kept until the configuration changes.
std::shared_ptr<const Instances> suitable_for(const State& state, const Demand& demand);

/// Why the other instances never will do; for jobs in no reservation.
void add_lasting_obstacles(const State& state, const Job& job, const ClassRequest& wanted,
                           Obstacles& obstacles);

struct Placement {
  Assignment assignment;
  Window window;
};

/// Why nothing of the job can be looked at now, before any place is searched; "" if it can.
std::string obstacle(const State& state, const Job& job, Instant now);

/// A place from now on. `everywhere`: also where no slot can be free, for the obstacles.
std::optional<Placement> place_now(const State& state, const Job& job, const ClassRequest& wanted,
                                   bool everywhere, Instant now, Obstacles& obstacles);

/// The earliest start from `from` on, gaps included (ruling in spec/rulings.md), and there the
/// largest number of slots. For jobs in no reservation.
/// Starts at or after `before` are not looked for.
std::optional<Placement> place_earliest(const State& state, const ClassRequest& wanted,
                                        Instant from, Instant before = Instant::never());

/// Whether what is held is free at its time, and where it is held nothing is off.
bool is_still_there(const State& state, const ClassRequest& wanted, const Hold& hold);

} // namespace almanac
