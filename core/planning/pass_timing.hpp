// When the next pass is decided: at once, after a while, or when a calendar turns.
//
// 1. Once a pass has been put off, others that can wait join it.
// 2. While there are jobs, each heartbeat wants one: whatever was missed is made up for.
//
// It sets no timer: who owns it wakes it up after the times that it gives back. A timer that comes
// too early or twice costs a pass and does no harm.
#pragma once

#include "core/base/time.hpp"

#include <optional>

namespace almanac {

class PassTiming {
public:
  /// An input may have helped somebody, which may wait for `gather`. After how long to call due();
  /// nothing: a timer runs already, or it is wanted now.
  std::optional<Duration> want(Duration gather);
  /// Then a calendar opens or closes something. The same as above.
  std::optional<Duration> await_turn(Instant turn, Instant now);
  void due() { is_wanted_ = true; }
  void heartbeat(bool has_jobs, Instant now);

  bool is_wanted() const { return is_wanted_; }
  /// A slice of a pass is decided now, if one is wanted: what was put off goes with it.
  bool begin_slice();
  /// Behind it: whether another slice is to follow, before which others have their turn.
  bool end_slice();

private:
  bool is_wanted_ = false, is_put_off_ = false;
  Instant turn_ = Instant::never(); ///< that is awaited
};

} // namespace almanac
