// Hooks that are to be run: which ones may begin.
#pragma once

#include "core/reservation/hook_call.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace almanac {

/// Of each reservation in the order in which they come, one at a time; of several reservations those first
/// whose outcome somebody waits for.
class WaitingHooks {
public:
  static constexpr std::size_t most_at_once = 8;

  struct Run {
    HookCall call;
    std::int64_t attempt = 1;
  };
  /// `attempt` 2: another master may have begun it.
  void add(HookCall call, std::int64_t attempt);
  /// The next one that may begin, and has begun; nothing if none may.
  std::optional<Run> next();
  /// It has ended.
  std::optional<HookCall> ended(std::int64_t sequence);

  std::size_t waiting() const;
  std::size_t running() const { return running_.size(); }

private:
  std::map<ReservationKey, std::deque<Run>> waiting_;
  std::map<std::int64_t, HookCall> running_; ///< by sequence
  std::set<ReservationKey> busy_;
  using Turn = std::pair<bool, std::int64_t>; ///< nobody waits for it; its sequence
  static Turn turn_of(const HookCall& call) { return {!call.is_awaited, call.sequence}; }
  std::map<Turn, ReservationKey> heads_; ///< of reservations that are not busy
};

} // namespace almanac
