// What the jobs of a class ask for, with all names resolved: looked up once, for all of them.
//
// It holds as long as the configuration. Lengths are whole seconds. Source: spec/scheduling.md sections
// 4.3 (for how long a place is booked) and 9.
#pragma once

#include "core/matching/demand.hpp"
#include "core/matching/obstacles.hpp"

#include <cstdint>
#include <memory>

namespace almanac {

struct ClassRequest {
  Demand demand;
  Duration length;        ///< for which its place is booked; endless without a limit
  bool endless = false;   ///< no run-time limit: towards advance reservations it never ends
  std::int64_t slots = 1; ///< the fewest that will do
  Claim claim = Claim::plain;
  bool gives_way =
      false; ///< it starts beside reservations that preempt, and is ended at their start
  /// Instances without an obstacle that lasts, in their order; for jobs in no reservation.
  std::shared_ptr<const Instances> suitable;
};
/// Or what is wrong with what they ask for.
Result<ClassRequest, Statement> make_class_request(const Snapshot& state, const Job& job);

/// Whether a job may have what is kept for spare hosts: it can be run again, as its checkpoints, -r or
/// else the queues of all these places say.
Claim claim_of(const Configuration& configuration, const JobRequest& request,
               const Instances& places);

/// Whether jobs of this claim start where a reservation that preempts comes (spec/plus.md P5.10,
/// P5.12): by PLUS_FILL, and not where those that may not run again keep it away.
bool gives_way(const Configuration& configuration, Claim claim);

/// Instances without an obstacle that lasts, in their order; kept until the configuration changes.
std::shared_ptr<const Instances> suitable_for(const Snapshot& state, const Demand& demand);

/// Whether the instance is one of them.
bool is_suitable(const ClassRequest& wanted, const QueueInstance* instance);

/// Why the other instances never will do; for jobs in no reservation.
void add_lasting_obstacles(const Snapshot& state, const Job& job, const ClassRequest& wanted,
                           Obstacles& obstacles);

} // namespace almanac
