#include "core/records/attraction.hpp"

#include "core/records/records.hpp"

namespace almanac {

namespace {

bool attracts(const Reservation* reservation) {
  return reservation && reservation->request.attract &&
         reservation->phase == ReservationPhase::running;
}

std::tuple<Instant, ReservationNumber, ReservationKey> entry_of(const Reservation& reservation) {
  return {reservation.shape.window.end, reservation.number, reservation.key};
}

} // namespace

// ---- reservations -----------------------------------------------------------------------------

void AttractingReservations::rebuild(const Records& records) {
  *this = {};
  for (const auto& one : Listing<Reservation>(records.all<Reservation>())) changed(nullptr, &one);
}

void AttractingReservations::changed(const Reservation* before, const Reservation* after) {
  if (attracts(before)) entries_.erase(entry_of(*before)), keys_.erase(before->key);
  if (attracts(after)) entries_.insert(entry_of(*after)), keys_.insert(after->key);
}

std::vector<ReservationKey> AttractingReservations::keys() const {
  std::vector<ReservationKey> keys;
  for (const auto& [end, number, key] : entries_) keys.push_back(key);
  return keys;
}

// ---- tasks ------------------------------------------------------------------------------------

void AttractedTasks::rebuild(const Records& records) {
  tasks_.clear();
  for (const auto& one : Listing<Task>(records.all<Task>())) changed(nullptr, &one);
}

void AttractedTasks::changed(const Task* before, const Task* after) {
  if (before && after && before->attracted_by == after->attracted_by) return;
  if (before && before->attracted_by) tasks_.erase(before->attracted_by, before->id());
  if (after && after->attracted_by) tasks_.insert(after->attracted_by, after->id());
}

} // namespace almanac
