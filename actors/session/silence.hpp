// How long the far side of a session has said nothing, and what is made of it at each beat.
//
// Beats alone are too coarse, and a clock alone goes on while this process is held up: the far side
// has been silent for the shorter of both.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace almanac {

class Silence {
public:
  using Time = std::chrono::steady_clock::time_point; ///< of CAF's clock
  static constexpr std::chrono::seconds beat_period{2};

  void heard(Time now) { silent_beats_ = 0, last_heard_ = now; }
  /// Why the session ends with this beat; nothing if it goes on. `is_open`: the handshake is done.
  std::optional<std::string> beat(bool is_open);

  int beats() const { return silent_beats_; }
  int seconds(Time now) const;

private:
  int silent_beats_ = 0, shaking_beats_ = 0;
  Time last_heard_;
};

} // namespace almanac
