// Waiting for a file, with an end to it.
#pragma once

#include <chrono>
#include <optional>

namespace almanac {

struct Until {
  std::optional<std::chrono::steady_clock::time_point> end; ///< none: as long as it takes
  int cancel = -1; ///< a file that ends the wait as soon as it can be read; -1: none

  /// Whether it is too late, or nobody wants it any more.
  bool is_over() const;
  bool is_cancelled() const;
};

Until within(std::optional<std::chrono::milliseconds> time, int cancel);

/// Waits for `events` (of poll) at a file, or with -1 for the end only. False if that came first.
bool wait_for(int file, short events, const Until& until);

/// Lets that much time pass. False if the end came first.
bool pause_for(std::chrono::milliseconds time, const Until& until);

} // namespace almanac
