// Who has failed to prove who they are, and is not listened to for a while after some tries
// (spec/metascheduler.md M8.26).
//
// 1. What is kept is bounded: where there is no room for one more, the one who failed the longest ago
//    is forgotten.
// 2. Times are milliseconds of a clock that does not go back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace almanac {

class FailedTries {
public:
  struct Limits {
    std::size_t tries = 10;          ///< at least 1
    std::int64_t within_ms = 60'000; ///< so many in this time block
    std::int64_t blocked_ms = 60'000;
    std::size_t peers = 10'000; ///< that are remembered
  };
  explicit FailedTries(Limits limits) : limits_(limits) {}

  /// One more; whether the peer is blocked from now on.
  bool note(const std::string& peer, std::int64_t now_ms);
  bool is_blocked(const std::string& peer, std::int64_t now_ms) const;
  std::size_t remembered() const { return of_.size(); }

private:
  struct Peer {
    std::deque<std::int64_t> failed_ms; ///< the last ones, no more than block
    std::int64_t blocked_until_ms = 0;
    std::int64_t forgotten_at_ms = 0; ///< nothing of it counts any more then
  };
  void make_room(std::int64_t now_ms);

  Limits limits_;
  std::map<std::string, Peer> of_;
};

} // namespace almanac
