// What becomes of the occurrences of a series: when they are, and a place for each one. Nothing is
// changed (spec/beyond.md section 5.4).
#pragma once

#include "core/planning/proposals.hpp"
#include "core/reservation/series.hpp"

#include <vector>

namespace almanac::rules {

/// One occurrence: its shape, or why it does not fit.
struct PlannedOccurrence {
  Occurrence when;
  Shape shape;
  bool on_unhealthy = false;
  std::vector<Statement> why{};
  std::int64_t exit_code = 0; ///< of a refusal for that

  bool fits() const { return exit_code == 0; }
  std::int64_t start() const { return when.at.time_since_epoch().count(); } ///< by the wall clock
};

/// What is planned beside: limits count it as if it were there.
struct PlannedBeside {
  std::int64_t count = 0;        ///< of reservations
  std::int64_t slot_seconds = 0; ///< from now on
};

/// A place for each of them, in their order; they do not overlap. Each prefers the instances of the
/// one before, the first one those that are named. A limit that is reached is a conflict.
std::vector<PlannedOccurrence> plan(const State& state, const Caller& owner,
                                    const ReservationRequest& request,
                                    const std::vector<Occurrence>& list,
                                    std::vector<InstanceName> preferred, const Obstacles& obstacles,
                                    Instant now, PlannedBeside beside = {});

struct SeriesPlan {
  Occurrences all;
  std::vector<PlannedOccurrence> planned;
  Instant before{};              ///< all that the rule names until then, if they are not too many
  std::optional<Statement> rest; ///< there are more until then than a series may have

  std::size_t fitting() const;
};
/// A new series up to its horizon, or why there can't be one, whatever fits.
Result<SeriesPlan, Answer> plan_series(const State& state, const Caller& caller,
                                       const Reserve& command, const Obstacles& obstacles,
                                       Instant now);

/// What is said about a series that is not as one might think: -a that does not fit, days without an
/// occurrence to skip, occurrences without a length.
std::vector<Statement> remarks_on(const SeriesPlan& plan, const Recurrence& recurrence);

/// The first of these that begins before the one in front of it is over, in words; nothing if none
/// does.
std::optional<Statement> overlap_within(const std::vector<Occurrence>& list,
                                        const Recurrence& recurrence);

/// Of these, which begin before then, there may be more than a series has at a time: said in words.
std::optional<Statement> rest_behind(const Occurrences& all, const Recurrence& recurrence,
                                     Duration length, Instant before);

TimeZone zone_of(const Recurrence& recurrence);
Statement conflict_of(const PlannedOccurrence& planned);

} // namespace almanac::rules
