// What becomes of the reservations that somebody was granted in a simulated cell, seen in what its
// master commits.
#pragma once

#include "core/reservation/reservation.hpp"
#include "schema/store/keys.hpp"
#include "tools/simulator/coallocation/trial_site.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace almanac {

class HoldWatch {
public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// `owner`: whose reservations these are. `ahead_ms`: what the clock of the cell is ahead.
  HoldWatch(std::string owner, std::int64_t ahead_ms)
      : owner_(std::move(owner)), ahead_ms_(ahead_ms) {}

  /// A batch is durable.
  void note(const std::vector<store::Write>& batch, std::int64_t now_ms);

  const std::vector<SiteHold>& holds() const { return holds_; }
  /// When the first of those that are still held has to end; never: none is.
  std::int64_t first_end_ms() const;

private:
  void note(const Reservation& reservation, std::int64_t now_ms);
  void note_erased(ReservationKey key, std::int64_t now_ms);
  std::int64_t trial_ms(Instant of_site) const { return of_site.seconds * 1000 - ahead_ms_; }

  std::string owner_;
  std::int64_t ahead_ms_;
  std::vector<SiteHold> holds_;
  std::map<ReservationKey, std::size_t> places_; ///< in holds_
};

} // namespace almanac
