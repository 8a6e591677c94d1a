// Two agents that have proved to have the key of one host: whether the one in the seat is alive
// (spec/beyond.md).
//
// Both are where they take the seat from each other in less time than one needs to find out that its
// link is broken, and where the first one speaks after the second one was sent away.
#pragma once

#include "core/base/time.hpp"
#include "core/host/host_key.hpp"

#include <optional>

namespace almanac {

class SeatContest {
public:
  /// Somebody comes while another one is in the seat.
  Rival rival(Instant now);
  /// The one who came was sent away; or has taken the seat.
  void sent_away(Instant now);
  void taken_over();
  /// The one in the seat has said something.
  void heard(Instant now);

private:
  Instant last_;
  int takeovers_ = 0;
  std::optional<Instant> sent_away_; ///< the first one since the one in the seat came
  bool heard_ = false;               ///< the one in the seat, after that
};

} // namespace almanac
