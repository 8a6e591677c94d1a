// When something has to be done about the process of a job: when a notice or a limit ends, when it
// is next looked at or saved, and when a command of the site has taken too long.
//
// All times are milliseconds of the caller's clock, greater than 0. Nothing can fail.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace almanac {

class Deadlines {
public:
  enum Kind : std::size_t {
    notice_of_end,        ///< until it is asked to end
    patience,             ///< until it is killed, once it was told to end
    notice_of_suspension, ///< until it is suspended
    soft_limit,
    limit,
    fence,
    measure,    ///< the next look at what it uses
    checkpoint, ///< the next one
    command     ///< of the site
  };

  /// 0: none.
  void set(Kind kind, std::int64_t at_ms) { at_ms_[kind] = at_ms; }
  void clear() { at_ms_ = {}; }

  /// Whether it is reached; it is told once.
  bool take(Kind kind, std::int64_t now_ms) {
    const bool is_reached = at_ms_[kind] > 0 && now_ms >= at_ms_[kind];
    if (is_reached) at_ms_[kind] = 0;
    return is_reached;
  }

  /// Until the next one, for poll(2): an hour at most, -1 if there is none.
  int wait_ms(std::int64_t now_ms) const {
    std::int64_t wait = -1;
    for (const auto at_ms : at_ms_) {
      const auto left = std::clamp<std::int64_t>(at_ms - now_ms, 0, 3'600'000);
      if (at_ms > 0) wait = wait < 0 ? left : std::min(wait, left);
    }
    return static_cast<int>(wait);
  }

private:
  std::array<std::int64_t, command + 1> at_ms_{};
};

} // namespace almanac
