// RESQUERY against a look at every second, and SETRES at the ends of its ranges and one second outside
// (spec/metascheduler.md M11.8, M11.9), in small cells that chance has filled.
//
// Ten thousand of them: RC_PARAMS=max_success=10000 core_tests --gtest_filter='*EverySecond*'
#include "core/matching/reservation_places.hpp"
#include "core/planning/wanted_starts.hpp"
#include "busy_cell.hpp"

using namespace almanac;

namespace {

constexpr Duration second{1};

ReservationRequest any_reservation(const BusyCell& cell) {
  const auto wanted = cell.any_request();
  ReservationRequest request;
  request.pe = wanted.pe, request.slots = wanted.slots;
  for (const auto& resource : wanted.resources)
    if (resource.name != "h_rt") request.resources.push_back(resource);
  request.duration = {*rc::gen::inRange<std::int64_t>(1, 60)}, request.has_duration = true;
  return request;
}

StartsQuery any_query(const BusyCell& cell) {
  StartsQuery query;
  query.request = any_reservation(cell);
  query.max_ranges = most_start_ranges;
  query.search.earliest = cell.now + Duration{*rc::gen::inRange<std::int64_t>(0, 60)};
  query.search.latest = query.search.earliest + Duration{*rc::gen::inRange<std::int64_t>(0, 200)};
  if (*rc::gen::inRange(0, 3) == 0)
    query.search.end_by = query.search.earliest + Duration{*rc::gen::inRange<std::int64_t>(1, 200)};
  return query;
}

bool is_wanted(const BusyCell& cell, const StartsQuery& query, const Demand& demand, Instant at) {
  const auto& [earliest, latest, end_by, days, from, to] = query.search;
  if (at < earliest || at > latest) return false;
  const auto length = query.request.duration;
  if (end_by != Instant{} && at + length > end_by) return false;
  return find_place(cell.state(), demand, {at, at + length}, cell.now).assignment.has_value();
}

std::vector<StartRange> every_second(const BusyCell& cell, const StartsQuery& query,
                                     const Demand& demand) {
  std::vector<StartRange> ranges;
  for (auto at = query.search.earliest; at <= query.search.latest; at = at + second) {
    if (!is_wanted(cell, query, demand, at)) continue;
    if (!ranges.empty() && ranges.back().last + second == at) ranges.back().last = at;
    else ranges.push_back({at, at});
  }
  return ranges;
}

std::vector<StartRange> told(const Answer& answer) {
  std::vector<StartRange> ranges;
  for (const auto& said : answer.statements)
    ranges.push_back({{said.find("first")->number}, {said.find("last")->number}});
  return ranges;
}

// In a copy: each is tried in the same state.
bool is_granted(const BusyCell& cell, const StartsQuery& query, Instant start) {
  auto copy = Planner::restore(cell.planner.state().records().copy());
  ReserveEarliest command;
  command.prepare.request = query.request;
  command.prepare.request.start = start;
  auto input = validated(Command{cell.root, command});
  RC_ASSERT(input.index() == 0u);
  return copy->handle(ValidInput(std::get<0>(input)), cell.now).answer->exit_code == 0;
}

} // namespace

RC_GTEST_PROP(GivenAnyCell, WhenStartsAreAskedForThenTheyAreThoseOfALookAtEverySecond, ()) {
  for (int world = 0; world < 3; ++world) {
    BusyCell cell;
    const auto query = any_query(cell);
    const auto demand = demand_of_reservation(cell.state(), cell.root, query.request);
    RC_ASSERT(demand.ok());
    const auto answer = cell.ask(AskStarts{cell.root, query});
    const bool has_ended = query.search.end_by != Instant{} && query.search.end_by <= cell.now;
    RC_ASSERT((answer.exit_code != 0) == has_ended);
    if (!has_ended) RC_ASSERT(told(answer) == every_second(cell, query, *demand));
  }
}

RC_GTEST_PROP(GivenAnyCell, WhenTheEndsOfARangeAreReservedThenTheyAreGrantedAndNothingOutside, ()) {
  BusyCell cell;
  auto query = any_query(cell);
  query.search.end_by = {};
  const auto ranges = told(cell.ask(AskStarts{cell.root, query}));
  for (const auto& [first, last] : ranges) {
    RC_ASSERT(is_granted(cell, query, first));
    RC_ASSERT(is_granted(cell, query, last));
    if (first > query.search.earliest) RC_ASSERT(!is_granted(cell, query, first - second));
    if (last < query.search.latest) RC_ASSERT(!is_granted(cell, query, last + second));
  }
}
