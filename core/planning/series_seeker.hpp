// What a job that names a series would fit into: its occurrences, and those of what was made a series of
// its own of its rest (spec/beyond.md B5.404, B5.4065).
#pragma once

#include "core/matching/demand.hpp"
#include "core/planning/state.hpp"

#include <map>
#include <set>
#include <string>

namespace almanac::rules {

/// One job, and occurrences.
class Seeker {
public:
  Seeker(const State& state, const Job& job, Instant now);

  bool fits_granted(const std::set<ReservationKey>& but);
  /// Neighbours mostly have the same places, which are searched once.
  bool fits(const Reservation& one);
  /// Into one that has no place yet: by its users, its window and its slots.
  bool fits_later() const;

  Statement why_not(const Reservation& one) const;

private:
  const State& state_;
  const Job& job_;
  const Instant now_;
  const Result<Demand, Statement> demand_;
  const Reservation* too_small_ = nullptr;
};

/// All that decides which occurrences a job fits into.
std::string kind_of(const Job& job);

/// Jobs whose series is gone, and that nothing which was made of its rest would take.
class LeftOut {
public:
  LeftOut(const State& state, Instant now) : state_(state), now_(now) {}
  bool has(const Job& job);

private:
  const State& state_;
  const Instant now_;
  std::map<std::string, bool> known_; ///< by their kind
};

} // namespace almanac::rules
