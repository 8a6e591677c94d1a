// Whether a job could ever run as it asks, and whether the reservation that it names is for it.
#pragma once

#include "core/matching/assignment.hpp"

#include <optional>

namespace almanac {

struct Suitability {
  std::optional<Assignment> assignment;
  Obstacles obstacles;
};

/// -w e and v look at a cluster empty of jobs, but for what is reserved (ruling in spec/rulings.md);
/// for a job of a reservation at the reservation without the jobs in it. It looks from now on, and
/// from the end of each reservation on, one after the other.
class SuitabilitySearch {
public:
  SuitabilitySearch(const Snapshot& state, Demand demand, const JobRequest& request, Instant now);
  /// For a job of the reservation, which need not be in the records as it is here; it lives as long.
  SuitabilitySearch(const Snapshot& state, Demand demand, const JobRequest& request,
                    const Reservation* reservation, Instant now);
  SuitabilitySearch(const SuitabilitySearch&) =
      delete; // candidates and supply point into the state

  /// Looks at the next window; true if another one may do.
  bool look();
  const Suitability& found() const { return found_; }

private:
  const Snapshot& state_;
  const Demand demand_;
  std::vector<const QueueInstance*> candidates_;
  std::vector<Window> windows_;
  std::size_t looked_ = 0; ///< windows
  Supply supply_;
  Suitability found_;
};

/// Whether the job could run in the reservation as it is here.
bool is_suitable_in(const Snapshot& state, const Reservation& reservation, const Demand& demand,
                    const JobRequest& request, Instant now);

/// Whether it could still begin and end there beside the tasks in it, each taken to run to its limit.
bool has_room_in(const Snapshot& state, const Reservation& reservation, const Demand& demand,
                 const JobRequest& request, Instant now);

/// All of it at once.
Suitability suitable(const Snapshot& state, const Demand& demand, const JobRequest& request,
                     Instant now);

/// The reservation that a job names. A series means the first of its occurrences that the job fits
/// into, else the longest one (spec/beyond.md B5.404). nullptr: there is none.
const Reservation* meant_reservation(const Snapshot& state, const Caller& owner,
                                     const JobRequest& request, Instant now);

/// Checks J2 to J6 of spec/reservations.md section 11.1, but for what suitable() finds.
std::optional<Statement> reservation_obstacle(const Snapshot& state, const Caller& owner,
                                              const JobRequest& request, Instant now);
/// The same for a reservation as it may become.
std::optional<Statement> reservation_obstacle(const Snapshot& state, const Reservation& reservation,
                                              const Caller& owner, const JobRequest& request,
                                              Instant now);

} // namespace almanac
