// The starts of a reservation that a metascheduler would take: those that are feasible, on the days
// and in the hours that it names (spec/metascheduler.md M3.12, M4.6 to M4.9).
//
// It points into the state: once that has changed it may only be destroyed.
#pragma once

#include "core/matching/feasible_starts.hpp"
#include "core/planning/state.hpp"
#include "core/request/start_search.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace almanac::rules {

/// The first and the last start that are looked at; the last one is before the first where there is
/// none. A refusal where the search has ended, or goes further than the site looks.
Result<StartRange, Statement> searched_starts(const Configuration& configuration,
                                              const StartSearch& search, Duration length,
                                              Instant now);

/// What of the range lies on the days and in the hours of the search, by that clock; ascending, and
/// what touches is one range.
std::vector<StartRange> in_hours(const StartSearch& search, const TimeZone& zone, StartRange range);

class WantedStarts {
public:
  WantedStarts(const Snapshot& state, Demand demand, Duration length, StartSearch search,
               StartRange among, Instant now);

  /// Looks for a place so many times more; true if there is more to look at.
  bool look(int times);
  /// Those that grow no more; after the last look all of them. Ascending; they do not touch.
  const std::vector<StartRange>& ranges() const { return ranges_; }
  /// As far as it has looked.
  std::optional<Instant> first() const;

private:
  const StartSearch search_;
  const TimeZone& zone_;
  FeasibleStarts starts_;
  std::size_t taken_ = 0; ///< of what is feasible
  std::vector<StartRange> ranges_;
};

/// Whether it would have no place even after all that is booked has ended.
bool fits_never(const Snapshot& state, const Demand& demand, Duration length, Instant now);

} // namespace almanac::rules
