// What a metascheduler asks about starts: of a reservation within a time (RESQUERY), and of a job
// (QUERY); and for whom (spec/metascheduler.md sections 3 and 4).
#pragma once

#include "core/base/caller.hpp"
#include "core/base/describe.hpp"
#include "core/job/job_request.hpp"
#include "core/reservation/reservation_request.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

/// TIMESPEC. Days and hours are those of the cell's wall clock, and limit when it may begin.
struct StartSearch {
  Instant earliest;      ///< 0: now
  Instant latest;        ///< the last start; 0: as far as the site looks (GMETA_HORIZON)
  Instant end_by;        ///< it has ended by then; 0: whenever
  std::int64_t days = 0; ///< bits: 1 is Sunday, 2 Monday, ... 64 Saturday; 0: any
  std::int64_t from_hour = 0, to_hour = 24; ///< from <= hour < to; over midnight where from > to
};
template <class V> void describe(V& visit, StartSearch& s) {
  visit("earliest", s.earliest);
  visit("latest", s.latest);
  visit("end_by", s.end_by);
  visit("days", s.days);
  visit("from_hour", s.from_hour);
  visit("to_hour", s.to_hour);
}

/// For whom something is asked or done, if that is not the caller. A user is named by who asks; uid and
/// group are what the master's host knows of that user. Said by the gate.
struct OnBehalf {
  Caller user; ///< without a name: for the caller
};
template <class V> void describe(V& visit, OnBehalf& o) { visit("user", o.user); }

/// RESQUERY.
struct StartsQuery {
  ReservationRequest request; ///< with a duration, without start and end
  OnBehalf whom{};
  StartSearch search{};
  std::int64_t max_ranges = 32; ///< 1 to most_start_ranges
  Duration min_length;          ///< ranges are at least so long
  Duration grain{1};            ///< ranges begin and end at multiples of it since 1970
};
template <class V> void describe(V& visit, StartsQuery& q) {
  visit("request", q.request);
  visit("whom", q.whom);
  visit("search", q.search);
  visit("max_ranges", q.max_ranges);
  visit("min_length", q.min_length);
  visit("grain", q.grain);
}
inline constexpr std::int64_t most_start_ranges = 1'000;

/// QUERY.
struct WhenQuery {
  JobRequest request;
  OnBehalf whom{};
};
template <class V> void describe(V& visit, WhenQuery& q) {
  visit("request", q.request);
  visit("whom", q.whom);
}

} // namespace almanac
