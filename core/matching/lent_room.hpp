// The room of reservations that a new one may use (spec/metascheduler.md M3.13, M4.11): what they have
// booked, less what their jobs hold and what they lend already, in their time.
//
// 1. No more is borrowed than what is missing beside all that is free.
// 2. Who borrows lends nothing, so that a loan never depends on another one. Reservations that preempt
//    jobs, and maintenances, do neither. Exclusive resources are not lent.
// 3. While something is proposed for a reservation, nothing more is lent of it.
#pragma once

#include "core/matching/assumption.hpp"
#include "core/matching/snapshot.hpp"

#include <set>
#include <utility>
#include <vector>

namespace almanac {

/// Whether it uses room of another one now.
bool borrows(const Snapshot& state, const Reservation& reservation);

/// Whether room of it can be lent at all, however much is left.
bool may_lend(const Snapshot& state, const Reservation& reservation);

/// What one of them lends.
struct LentBy {
  ReservationKey lender;
  std::vector<Loan> loans;
};

/// As long as the snapshot. Those that lend nothing add nothing.
class LentRoom {
public:
  LentRoom(const Snapshot& state, const std::vector<ReservationNumber>& lenders);
  LentRoom(const LentRoom&) = delete;
  LentRoom& operator=(const LentRoom&) = delete;

  /// With their room as if it were free; as long as this lives.
  Snapshot look() const { return without_.look(); }
  /// Where it is: what lies elsewhere is taken first.
  std::set<InstanceName> instances() const;
  /// What they lend to a reservation that is not booked yet and has a place in that look.
  std::vector<LentBy> loans(ReservationKey to, const Shape& shape) const;

private:
  const Snapshot& state_;
  std::vector<std::pair<ReservationKey, std::vector<BookedPart>>> rooms_; ///< of one booking each
  Assumption without_;
};

/// What jobs of its lenders still hold of the room that the reservation has from them at `now`: these
/// are past their time.
std::int64_t held_by_lenders(const Snapshot& state, const Reservation& reservation,
                             const Booking& booking, Instant now);

} // namespace almanac
