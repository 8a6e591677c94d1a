// Rerunnable jobs on the spare hosts of a reservation: they give way when these are used
// (spec/beyond.md B1.104).
//
// 1. A spare host that is used may take from them what was booked for it, and no more.
// 2. Only what is in the way then is put back, the youngest first. Its slots are free once it has ended:
//    until then no job of the reservation starts on them.
// 3. One that is being put back already is in nobody's way.
#pragma once

#include "core/matching/assumption.hpp"
#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

class SpareOccupants {
public:
  /// `window`: what is to come of that of the reservation. As long as the state.
  SpareOccupants(const State& state, const Reservation& reservation, Window window);

  bool any() const { return !tasks_.empty() || !holders_.empty(); }
  bool are_held() const { return !holders_.empty(); } ///< places on them, for waiting jobs
  /// Takes them out of the assumption, as far as the spare hosts go. It sees all that is booked now.
  void take_out(Assumption& assumption) const;
  /// The reservation has taken spare hosts into use: those in the way are put back.
  void give_way(State& state, Instant now) const;

private:
  void find(const State& state, const Reservation& reservation);

  const State& state_;
  ReservationKey key_;
  Window window_;
  std::vector<Booking> spare_bookings_;
  std::vector<TaskId> tasks_;
  std::vector<JobKey> holders_;
};

} // namespace almanac::rules
