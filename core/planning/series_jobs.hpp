// Jobs that wait for a series: each is bound to one occurrence at a time (spec/beyond.md B5.404).
//
// A job that names a series means its occurrences, and those of what was made a series of its own of its
// rest, once or several times: it waits for the first of all that it fits into.
#pragma once

#include "core/planning/state.hpp"

#include <set>
#include <vector>

namespace almanac::rules {

/// It waits, and would not fit any more, or not be let in.
struct HeldJob {
  JobKey job;
  Statement why;
};
Statement said_of(const State& state, const HeldJob& held);

/// The series was deleted. What was made of its rest is there for those that name it already, and for no
/// others (spec/beyond.md B5.4065).
void close_to_new_jobs(State& state, ReservationNumber deleted);
/// Why a job that does not name it yet can't.
std::optional<Statement> naming_obstacle(const State& state, ReservationNumber number);

/// Those whose occurrence is over, and of which nothing runs, wait for the next one; they go with the
/// series. Those that nothing of it would take any more get a user hold, and their owners a mail
/// (spec/beyond.md B5.4046).
void bind_to_next(State& state, Instant now);

/// Occurrences were granted or moved: those that wait for a later one may have them.
void bind_to_earlier(State& state, ReservationNumber series, Instant now);

/// All that may come into an occurrence of the series, also those that wait for one of another; not those
/// that name a single one.
std::vector<JobKey> jobs_waiting_for(const State& state, const Series& series);

/// Occurrences as they will be.
struct ChangedOccurrences {
  std::set<ReservationKey> before; ///< in place of these, which change or vanish
  std::vector<Reservation> after;  ///< new ones, too
};

/// Of jobs_waiting_for(), and with those that `return` to wait, the ones that fit into one of those that
/// change, and then into none (spec/beyond.md B5.40532). What has no place yet may still be granted: where
/// nothing else is left, they wait for it.
std::vector<HeldJob> jobs_without_place(const State& state, ReservationNumber series,
                                        const ChangedOccurrences& changed,
                                        const std::set<JobKey>& returning, Instant now);

} // namespace almanac::rules
