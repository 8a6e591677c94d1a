// How long an agent waits before it calls its master again: soon while the master may be starting,
// ever later while it says no, since each refusal is a line in the audit log.
#pragma once

#include <algorithm>
#include <cstdint>

namespace almanac {

class CallPause {
public:
  /// In milliseconds, after a call that has failed or was refused.
  std::int64_t after(bool refused) {
    next_ = refused ? std::max(next_, first_refused) : std::min(next_, longest_unreached);
    const auto pause = next_;
    next_ = std::min(2 * next_, refused ? longest_refused : longest_unreached);
    return pause;
  }
  void reached() { next_ = first; }

private:
  static constexpr std::int64_t first = 250, longest_unreached = 1000;
  static constexpr std::int64_t first_refused = 1000, longest_refused = 10'000;

  std::int64_t next_ = first;
};

} // namespace almanac
