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

  bool fits_granted();
  /// Into a granted one that is not among those that change; into one that runs only where it still has room
  /// beside the tasks in it.
  bool fits_beside(const std::set<ReservationKey>& changed);
  /// Neighbours mostly have the same places, which are searched once.
  bool fits(const Reservation& one);
  /// Into one that has no place yet: by its users, its window and its slots.
  bool fits_later() const;

  Statement why_not(const Reservation& one) const;
  Statement why_none() const;

private:
  template <class Fits> bool fits_any(Fits fits) const;

  const State& state_;
  const Job& job_;
  const Instant now_;
  const Result<Demand, Statement> demand_;
  const Reservation* too_small_ = nullptr;
};

/// All that decides which occurrences a job fits into.
std::string kind_of(const Job& job);

/// Jobs that nothing which is granted, or still to come, would take.
class LeftOut {
public:
  LeftOut(const State& state, Instant now) : state_(state), now_(now) {}
  bool has(const Job& job);
  /// Only if its series is gone, and others were made of its rest.
  bool has_of_deleted(const Job& job);

private:
  const State& state_;
  const Instant now_;
  std::map<std::string, bool> known_; ///< by their kind
};

} // namespace almanac::rules
