// Jobs without -ar in reservations with -attract y (spec/beyond.md section 7, rules 1 and 2).
#pragma once

#include "core/matching/placement.hpp"

#include <optional>

namespace almanac {

/// A place for the next task of a job in a reservation that it did not name.
struct AttractedPlacement {
  ReservationKey reservation;
  Placement place;
};

/// Now, in the first reservation that has one: the job has a run limit, ends in time and asks for
/// nothing that is not reserved there, and its user is admitted. Nothing where none attracts it.
std::optional<AttractedPlacement> place_attracted(const Snapshot& state, const Job& job,
                                                  Instant now);

/// The job as if it had asked for that reservation.
Job bound_to(const Job& job, ReservationKey reservation);

} // namespace almanac
