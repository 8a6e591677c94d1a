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
  void add(HookCall call) { add(std::move(call), 1); }
  /// In their order, before all others: those of which another master has not seen the end. It may have
  /// begun the first one of each reservation, whose attempt is the second one then, and no other.
  void add_left(HookCall call);
  /// The next one that may begin, and has begun; nothing if none may.
  std::optional<Run> next();
  /// It has ended.
  std::optional<HookCall> ended(std::int64_t sequence);

  std::size_t waiting() const;
  std::size_t running() const { return running_.size(); }

private:
  void add(HookCall call, std::int64_t attempt);

  std::map<ReservationKey, std::deque<Run>> waiting_;
  std::map<std::int64_t, HookCall> running_; ///< by sequence
  std::set<ReservationKey> busy_;
  using Turn = std::pair<bool, std::int64_t>; ///< nobody waits for it; its sequence
  static Turn turn_of(const HookCall& call) { return {!call.is_awaited, call.sequence}; }
  std::map<Turn, ReservationKey> heads_; ///< of reservations that are not busy
};

} // namespace almanac
