#include "core/planning/commands/reserve_earliest.hpp"

#include "core/matching/lent_room.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/acting.hpp"
#include "core/planning/alternative_search.hpp"
#include "core/planning/commands/delete_reservations.hpp"
#include "core/planning/commands/transactions.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/wanted_starts.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>
#include <utility>

namespace almanac::rules {

namespace {

Instant start_of(const Reservation& reservation) {
  const bool is_held = reservation.phase == ReservationPhase::proposed;
  return (is_held ? reservation.proposed.front().shape : reservation.shape).window.start;
}

// As it would be granted now.
bool is_unhealthy(const State& state, const Reservation& reservation) {
  auto granted = reservation;
  if (granted.phase == ReservationPhase::proposed) granted.shape = granted.proposed.front().shape;
  return !health(state, granted).empty();
}

// What there is of the reservation, whether it was made now or before.
Answer told(const State& state, const Reservation& reservation) {
  const bool is_held = !reservation.proposed.empty();
  Statement made{is_held ? AnswerCode::meta_reservation_held : AnswerCode::meta_reservation_granted,
                 {{"reservation", reservation.number}, {"start", start_of(reservation)}}};
  if (is_held) made.details.emplace_back("until", lapses_at(reservation));
  if (is_unhealthy(state, reservation)) made.details.emplace_back("state", "W");
  Answer answer;
  answer.number = reservation.number.value;
  answer.say(std::move(made));
  return answer;
}

// What became of the transaction, if the user has used it (spec/metascheduler.md M5.8). A hold
// whose time is over is aborted, also before that was noticed.
std::optional<Answer> done_before(const State& state, const Caller& user,
                                  const std::string& transaction, Instant now) {
  const auto& known = state.occupancy().new_transactions;
  const auto held = known.held(user.user, transaction);
  if (held) {
    const auto& reservation = *state.reservation_by_number(*held);
    if (reservation.proposed.front().awaits_site())
      return Answer::refusal(operation_pending(*held));
    if (lapses_at(reservation) > now) return told(state, reservation);
  }
  const auto committed = known.committed(user.user, transaction);
  if (committed && remembered(state, *committed, transaction, now)) {
    const auto* reservation = state.reservation_by_number(*committed);
    if (reservation && !reservation->is_over()) return told(state, *reservation);
  }
  const auto settled = known.settled(user.user, transaction);
  if (!held && !(settled && remembered(state, *settled, transaction, now))) return std::nullopt;
  return Answer::refusal({AnswerCode::transaction_was_aborted, {{"transaction", transaction}}});
}

bool is_refused_by_site(const Answer& answer) {
  return std::any_of(answer.statements.begin(), answer.statements.end(),
                     [](const Statement& one) { return is_of_policy(one.code); });
}

// Whether there ever could be one, behind all that is in the way.
Answer without_place(const State& state, const Demand& demand, Duration length, Instant now,
                     Answer refusal) {
  if (is_refused_by_site(refusal)) return refusal;
  const bool is_too_large = fits_never(state, demand, length, now);
  refusal.refuse({is_too_large ? AnswerCode::fits_never : AnswerCode::no_feasible_start, {}});
  return refusal;
}

std::optional<Instant> first_start(const Snapshot& state, const Demand& demand, Duration length,
                                   const StartSearch& search, StartRange among, Instant now) {
  WantedStarts starts(state, demand, length, search, among, now);
  for (int looks = 0; !starts.first() && looks < most_looks_of_input; ++looks)
    if (!starts.look(1)) break;
  return starts.first();
}

// Where it would have a start if the site had no conditions of its own, these are why it has none.
std::optional<Answer> refusal_of_site(const Snapshot& state, const Demand& demand, Duration length,
                                      const StartSearch& search, StartRange among, Instant now) {
  if (demand.nodes.count == 0 || !state.site_policy().is_in_force()) return std::nullopt;
  auto unconditional = demand;
  unconditional.nodes.asks_site = false;
  const auto start = first_start(state, unconditional, length, search, among, now);
  if (!start) return std::nullopt;
  const auto found = find_place(state, demand, {*start, *start + length}, now);
  if (found.assignment) return std::nullopt;
  auto refusal = no_place(found);
  return is_refused_by_site(refusal) ? std::optional(std::move(refusal)) : std::nullopt;
}

// The first start that there is; that of the request is the only one.
Result<Instant, Answer> find_start(const State& state, const ReserveEarliest& command,
                                   const Demand& demand, Instant now) {
  const auto& request = command.prepare.request;
  const bool is_fixed = command.at_once || request.start != Instant{};
  auto search = command.search;
  if (is_fixed) search = {};
  if (is_fixed) search.earliest = search.latest = command.at_once ? now : request.start;
  if (is_fixed && search.latest < now) return Answer::refusal({AnswerCode::start_in_the_past, {}});
  // A hold ends with the start of what is held: one that is looked for leaves it its time.
  const auto hold = command.prepare.hold_for;
  if (!is_fixed && hold > Duration{}) search.earliest = std::max(search.earliest, now + hold);
  const auto among = searched_starts(state.configuration(), search, request.duration, now);
  if (!among) return Answer::refusal(among.error());
  if (is_fixed) return among->first;
  const LentRoom room(state, request.room_of);
  const auto view = room.look();
  const auto& length = request.duration;
  if (const auto first = first_start(view, demand, length, search, *among, now)) return *first;
  if (auto refusal = refusal_of_site(view, demand, length, search, *among, now)) return *refusal;
  return without_place(state, demand, request.duration, now, {});
}

// What keeps it from its place and from what its user may have; nothing is prepared by it.
std::optional<Answer> obstacle(State& state, const Caller& user, const ReservationRequest& request,
                               const Demand& demand, Instant now) {
  const auto prepared = find_shape(state, user, request, nullptr, now);
  if (prepared.refusal)
    return without_place(state, demand, request.duration, now, *prepared.refusal);
  return node_hours_obstacle(state, user, prepared.shape, now);
}

} // namespace

Answer reserve_earliest(State& state, const Caller& user, const ReserveEarliest& command,
                        Instant now) {
  const auto& configuration = state.configuration();
  if (auto before = done_before(state, user, command.prepare.transaction, now)) return *before;
  auto asked = command;
  asked.prepare.hold_for = // M5.5
      std::min(asked.prepare.hold_for, configuration.scheduler().plus.longest_hold);
  auto& request = asked.prepare.request;
  if (auto why = simple_obstacle(state, user, request, true, OthersRoom::used)) return *why;
  if (auto why = number_allowance_obstacle(state, user)) return *why;
  const auto demand = demand_of_reservation(state, user, request);
  if (!demand) return Answer::refusal(demand.error());
  const auto start = find_start(state, asked, *demand, now);
  if (!start) return start.error();
  request.start = *start;
  // It takes a search of its own, so only where it matters.
  if (configuration.scheduler().plus.meta_node_hours != 0)
    if (auto why = obstacle(state, user, request, *demand, now)) return *why;
  auto prepared = prepare(state, user, asked.prepare, now);
  if (prepared.exit_code != 0)
    if (auto why = obstacle(state, user, request, *demand, now)) return *why;
  const auto* reservation = state.reservation_by_number({prepared.number});
  if (prepared.exit_code != 0 || !reservation) return prepared;
  const bool asks_site =
      !reservation->proposed.empty() && reservation->proposed.front().awaits_site();
  return asks_site ? prepared : told(state, *reservation);
}

} // namespace almanac::rules
