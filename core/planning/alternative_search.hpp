// What a reservation that has no place could be instead: later, earlier, shorter, with fewer slots,
// elsewhere (spec/beyond.md B3.2).
//
// 1. Each changes one thing of the request, and would be granted in the same state.
// 2. It points into the state: once that has changed it may only be destroyed.
#pragma once

#include "core/matching/feasible_starts.hpp"
#include "core/planning/largest_in_time.hpp"
#include "core/planning/state.hpp"
#include "core/request/alternative_kind.hpp"
#include "core/reservation/reservation_request.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac::rules {

/// How far ahead a start is looked for.
inline constexpr Duration reservation_horizon{366 * 86400};
/// How often a place is looked for within one input.
inline constexpr int most_looks_of_input = 20'000;

struct Alternative {
  AlternativeKind kind = AlternativeKind::later;
  ReservationRequest request; ///< with its start and its duration
  Window window;
  Duration moved;         ///< it begins so much later than was asked for; below 0: earlier
  std::int64_t slots = 0; ///< of `fewer`
  std::string option;     ///< of `elsewhere`: without which it fits
};

class AlternativeSearch {
public:
  /// `window` and `demand` are those of the request (asked_window() where it names no start).
  AlternativeSearch(const Snapshot& state, Caller caller, ReservationRequest request, Window window,
                    Demand demand, Instant now);

  AlternativeSearch(const AlternativeSearch&) = delete;

  /// Looks for a place of this kind once, `elsewhere` for all of them; true if there is more to look
  /// at.
  bool look(AlternativeKind kind);
  /// After the last look: the nearest ones.
  std::vector<Alternative> found(AlternativeKind kind) const;

private:
  bool look_shorter();
  void look_fewer();
  void look_elsewhere();
  bool fits(const ReservationRequest& request) const;
  Alternative at(AlternativeKind kind, Instant start, Duration length) const;
  void search_in_time();
  FeasibleStarts starts_in_time(Demand demand, Duration length) const;

  const Snapshot& state_;
  const Caller caller_;
  const ReservationRequest request_;
  const Window window_;
  const Demand demand_;
  const Instant now_;
  FeasibleStarts later_, earlier_;
  std::int64_t possible_, impossible_;                           ///< seconds at the requested start
  std::int64_t fewer_ = 0;                                       ///< slots
  std::optional<LargestInTime> shorter_in_time_, fewer_in_time_; ///< with -a asap
  std::vector<Alternative> elsewhere_;
};

} // namespace almanac::rules
