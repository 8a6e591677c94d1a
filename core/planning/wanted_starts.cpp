#include "core/planning/wanted_starts.hpp"

#include "core/matching/class_request.hpp"

#include <algorithm>
#include <utility>

namespace almanac::rules {

namespace {

constexpr Duration second{1};
constexpr std::int64_t day = 86'400, hour = 3'600;

// 1970-01-01 was a Thursday, the fifth bit.
bool is_on(const StartSearch& search, std::int64_t local_day) {
  const auto weekday = ((local_day + 4) % 7 + 7) % 7;
  return search.days == 0 || (search.days >> weekday) & 1;
}

bool is_limited(const StartSearch& search) {
  return search.days != 0 || search.from_hour != 0 || search.to_hour != 24;
}

std::int64_t day_of(const TimeZone& zone, Instant at) {
  const auto local = at.seconds + zone.ahead(at);
  return local >= 0 ? local / day : -((day - 1 - local) / day);
}

void add(std::vector<StartRange>& ranges, StartRange range) {
  if (range.last < range.first) return;
  if (!ranges.empty() && range.first <= ranges.back().last + second)
    ranges.back().last = std::max(ranges.back().last, range.last);
  else ranges.push_back(range);
}

} // namespace

Result<StartRange, Statement> searched_starts(const Configuration& configuration,
                                              const StartSearch& search, Duration length,
                                              Instant now) {
  const auto horizon = configuration.scheduler().plus.meta_horizon;
  const auto furthest = now + horizon;
  if (search.earliest > furthest || search.latest > furthest)
    return Statement{AnswerCode::starts_outside_horizon, {{"limit", horizon}}};
  const bool has_latest = search.latest != Instant{}, has_end = search.end_by != Instant{};
  if ((has_latest && search.latest < now) || (has_end && search.end_by <= now))
    return Statement{AnswerCode::search_has_ended, {}};
  StartRange among{std::max(now, search.earliest), has_latest ? search.latest : furthest};
  if (has_end) among.last = std::min(among.last, search.end_by - length);
  const auto last = now + furthest_end - length;
  if (last < among.first) return Statement{AnswerCode::ends_too_late, {}};
  among.last = std::min(among.last, last);
  return among;
}

std::vector<StartRange> in_hours(const StartSearch& search, const TimeZone& zone,
                                 StartRange range) {
  if (!is_limited(search)) return {range};
  std::vector<StartRange> found;
  const bool over_midnight = search.from_hour >= search.to_hour;
  const auto last_day = day_of(zone, range.last);
  for (auto local = day_of(zone, range.first) - 1; local <= last_day; ++local) {
    if (!is_on(search, local)) continue;
    const auto end_day = local + (over_midnight ? 1 : 0);
    const auto from = moment_of(zone, local * day + search.from_hour * hour).at;
    const auto until = moment_of(zone, end_day * day + search.to_hour * hour).at;
    add(found, {std::max(range.first, from), std::min(range.last, until - second)});
  }
  return found;
}

WantedStarts::WantedStarts(const Snapshot& state, Demand demand, Duration length,
                           StartSearch search, StartRange among, Instant now)
    : search_(search),
      zone_(state.closures().zone()),
      starts_(state, std::move(demand), length, among, now) {}

// The last feasible range may still grow while there is more to look at.
bool WantedStarts::look(int times) {
  const bool more = starts_.look(times);
  const auto& feasible = starts_.ranges();
  const auto end = more && !feasible.empty() ? feasible.size() - 1 : feasible.size();
  for (; taken_ < end; ++taken_)
    for (const auto& range : in_hours(search_, zone_, feasible[taken_])) ranges_.push_back(range);
  return more;
}

std::optional<Instant> WantedStarts::first() const {
  if (!ranges_.empty()) return ranges_.front().first;
  const auto& feasible = starts_.ranges();
  if (taken_ == feasible.size()) return std::nullopt;
  const auto growing = in_hours(search_, zone_, feasible.back());
  if (growing.empty()) return std::nullopt;
  return growing.front().first;
}

namespace {

// When all that has an end is free again.
Instant behind_all(const Snapshot& state, Instant now) {
  auto start = now + second;
  for (const auto& reservation : state.reservations())
    if (const auto end = booked_until(reservation); !end.is_never()) start = std::max(start, end);
  return start;
}

} // namespace

bool fits_never(const Snapshot& state, const Demand& demand, Duration length, Instant now) {
  const auto start = behind_all(state, now);
  auto unread = Obstacles::unwanted();
  const auto candidates = suitable_for(state, demand);
  const auto supply = Supply::of_empty_cluster(state, Claim::plain, false, start);
  return !assign(state, supply, demand, {start, start + length}, *candidates, unread);
}

} // namespace almanac::rules
