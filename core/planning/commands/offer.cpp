#include "core/planning/commands/offer.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/alternative_search.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/site_consent.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/policy/standing.hpp"
#include "core/reservation/offer_token.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

constexpr std::int64_t most_unaccepted = 10; // within an hour

// Offers that nobody takes keep others waiting for nothing. Those that are open may become such.
std::optional<Answer> offer_obstacle(const State& state, const Caller& caller, const Reserve& asked,
                                     Instant now) {
  const auto& global = state.configuration().global();
  if (site_must_agree(state, HookEvent::confirm))
    return Answer::refusal(site_is_asked_first(HookEvent::confirm, "-offer"));
  if (const auto longest = global.max_offer_time; asked.offer_for > longest)
    return Answer::refusal({AnswerCode::offer_time_out_of_range,
                            {{"limit", longest.seconds}, {"seconds", asked.offer_for.seconds}}});
  if (is_manager(state.configuration(), caller)) return std::nullopt;
  const auto& own = state.occupancy().reservations_of;
  const auto open = own.open_offers(caller.user);
  if (open >= global.max_u_offers)
    return Answer::refusal({AnswerCode::too_many_open_offers, {{"limit", global.max_u_offers}}},
                           25);
  if (open + own.unaccepted_offers(caller.user, now) >= most_unaccepted)
    return Answer::refusal({AnswerCode::too_many_unaccepted_offers, {{"limit", most_unaccepted}}},
                           25);
  return std::nullopt;
}

bool may_be(const Reserve& asked, AlternativeKind kind) {
  if (asked.offer_kinds.empty())
    return kind == AlternativeKind::later || kind == AlternativeKind::earlier;
  const auto& kinds = asked.offer_kinds;
  return std::find(kinds.begin(), kinds.end(), name_of(kind)) != kinds.end();
}

// The first one, in the order in which a refusal names them.
std::optional<Alternative> first_alternative(const State& state, const Caller& caller,
                                             const Reserve& asked, Instant now) {
  const auto window = asked_window(asked.request, now);
  if (!window) return std::nullopt;
  const auto demand = demand_of_reservation(state, caller, asked.request);
  if (!demand) return std::nullopt;
  AlternativeSearch search(state, caller, asked.request, *window, *demand, now);
  int looks = 0;
  for (const auto kind : all_alternatives) {
    if (!may_be(asked, kind)) continue;
    while (search.look(kind))
      if (++looks >= most_looks_of_input) return std::nullopt;
    if (auto found = search.found(kind); !found.empty()) return std::move(found.front());
  }
  return std::nullopt;
}

Statement difference(const Alternative& found, Window asked) {
  const auto& moved = found.moved;
  switch (found.kind) {
  case AlternativeKind::later: return {AnswerCode::offered_later, {{"seconds", moved.seconds}}};
  case AlternativeKind::earlier:
    return {AnswerCode::offered_earlier, {{"seconds", -moved.seconds}}};
  case AlternativeKind::shorter:
    return {AnswerCode::offered_shorter,
            {{"seconds", found.window.length().seconds}, {"asked", asked.length().seconds}}};
  case AlternativeKind::fewer: return {AnswerCode::offered_fewer, {}};
  case AlternativeKind::elsewhere: break;
  }
  return {AnswerCode::offered_elsewhere, {{"option", found.option}}};
}

// What is requested, or what is instead.
struct Offered {
  ReservationRequest request;
  Prepared place;
  std::optional<Statement> difference{};
};

Offered find_offer(const State& state, const Caller& caller, const Reserve& asked, Instant now) {
  const auto started = with_start(state, caller, asked, now);
  Offered offered{started ? started->request : asked.request, {}};
  if (started) offered.place = find_shape(state, caller, *started, now);
  else offered.place.refusal = started.error();
  if (!offered.place.refusal) return offered;
  const auto instead = first_alternative(state, caller, asked, now);
  if (!instead) return offered;
  const Reserve other{instead->request};
  auto place = find_shape(state, caller, other, now);
  if (place.refusal) return offered;
  return {instead->request, std::move(place),
          difference(*instead, *asked_window(asked.request, now))};
}

Reservation held(State& state, const Caller& caller, const Reserve& asked, const Offered& offered,
                 Instant now) {
  auto reservation = new_reservation(state, caller, offered.request, now);
  auto& request = reservation.request;
  const auto& window = offered.place.shape.window;
  request.start = window.start, request.end = window.end, request.asap = false;
  request.duration = {}, request.has_duration = false;
  Proposal proposal{offer_name(reservation),
                    now + asked.offer_for,
                    ReservationVerb::change,
                    offered.place.shape,
                    request,
                    caller};
  proposal.is_offer = true;
  reservation.proposed = {std::move(proposal)};
  return reservation;
}

Answer told(const State& state, const Reservation& reservation, const Offered& offered) {
  const auto& shape = offered.place.shape;
  Statement made{AnswerCode::offer_made,
                 {{"token", OfferToken::of(reservation).text()},
                  {"until", lapses_at(reservation)},
                  {"slots", shape.slots()},
                  {"start", shape.window.start},
                  {"end", shape.window.end}}};
  if (offered.difference) made.details.emplace_back("difference", *offered.difference);
  Answer answer;
  answer.number = reservation.number.value;
  answer.say(std::move(made));
  if (auto warning = little_time_left(state, shape.window)) answer.warn(std::move(*warning));
  if (!offered.place.on_unhealthy) return answer;
  auto as_granted = reservation;
  as_granted.shape = shape;
  for (auto& bad : health(state, as_granted))
    answer.warn({AnswerCode::reservation_unhealthy, {{"why", std::move(bad)}}});
  return answer;
}

} // namespace

Answer offer(State& state, const Caller& caller, const Reserve& asked, Instant now) {
  if (auto obstacle = simple_obstacle(state, caller, asked.request, true)) return *obstacle;
  if (auto obstacle = offer_obstacle(state, caller, asked, now)) return *obstacle;
  const auto offered = find_offer(state, caller, asked, now);
  if (offered.place.refusal) return *offered.place.refusal;
  if (auto obstacle = slot_hours_obstacle(state, caller, caller, offered.place.shape, nullptr, now))
    return *obstacle;
  auto reservation = held(state, caller, asked, offered, now);
  auto answer = told(state, reservation, offered);
  state.put(std::move(reservation));
  return answer;
}

} // namespace almanac::rules
