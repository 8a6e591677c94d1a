#include "core/planning/commands/proposals.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/commands/requests.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

bool may_reserve(const Configuration& configuration, const Caller& caller) {
  if (is_manager(configuration, caller)) return true;
  return configuration.is_in_userset("arusers", caller.user, caller.group);
}

std::int64_t standing(const State& state) {
  return std::count_if(state.reservations().begin(), state.reservations().end(),
                       [](const Reservation& one) { return !one.is_ending(); });
}

std::int64_t kept_by_reservations(const State& state, const Caller& caller) {
  std::int64_t all = 0;
  for (const auto& one : state.reservations())
    if (one.owner.user == caller.user) all += kept_bytes(one.request);
  return all;
}

} // namespace

std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const ReservationRequest& request, bool is_new) {
  const auto& configuration = state.configuration();
  if (!may_reserve(configuration, caller))
    return Answer::refusal("denied: \"" + caller.user +
                           "\" must be manager or in userset \"arusers\"");
  for (const auto& entry : request.users) {
    const auto name = entry.starts_with('!') ? entry.substr(1) : entry;
    if (name.starts_with('@') && !configuration.usersets().contains(name.substr(1)))
      return Answer::refusal("Userset \"" + excerpt(name.substr(1)) + "\" does not exist");
    if (name.empty())
      return Answer::refusal("error: " + excerpt(entry) + " is not known as a user");
  }
  const auto limit = configuration.global().max_advance_reservations;
  const auto all = static_cast<std::int64_t>(state.records().all<Reservation>().size());
  if (is_new && all >= limit && standing(state) >= limit)
    return Answer::refusal("rejected: only " + std::to_string(limit) +
                               " advance reservations are allowed per cluster",
                           25);
  if (is_new && !is_manager(configuration, caller))
    if (auto why =
            keep_obstacle(state, caller, kept_by_reservations(state, caller), kept_bytes(request)))
      return Answer::refusal({AnswerCode::rejected, {{"why", *why}}}, 25);
  return std::nullopt;
}

namespace {

Shape shape_of(const Configuration& configuration, const ReservationRequest& request, Window window,
               const Assignment& assignment) {
  const auto* pe = configuration.find(ObjectKind::parallel_environment, assignment.pe);
  const auto* rule = pe ? pe->find("allocation_rule") : nullptr;
  return {window,        assignment.grants, assignment.bookings,
          assignment.pe, request.users,     rule ? *rule : ""};
}

// A change that names no start leaves it; one of a running reservation may name it again.
Result<Window> changed_window(ReservationRequest request, const Reservation& own, Instant now) {
  const auto start = own.shape.window.start;
  if (request.start.seconds == 0 && (request.end.seconds == 0 || !request.has_duration))
    request.start = start;
  auto window = requested_window(request, request.start == start ? std::min(start, now) : now);
  if (window && window->end <= now) return Error{"end time is in the past"};
  return window;
}

Answer no_place(const Found& found) {
  Answer answer;
  for (const auto& reason : found.obstacles.list()) answer.warn(Statement::said(reason));
  answer.refuse({AnswerCode::no_suitable_queues_for_reservation, {}});
  return answer;
}

} // namespace

namespace {

// A place that `own` may have instead of its own.
Found find_beside(State& state, const Reservation* own, const Demand& demand, Window window,
                  Instant now) {
  std::optional<Unbooked> looking;
  if (own) looking.emplace(state, own->key);
  return find_place(state, demand, window, now);
}

} // namespace

Prepared find_shape(State& state, const Caller& owner, const ReservationRequest& request,
                    const Reservation* own, Instant now) {
  Prepared prepared;
  const auto window = own ? changed_window(request, *own, now) : requested_window(request, now);
  if (!window) return {Answer::refusal(window.what()), {}, false};
  auto demand = demand_of_reservation(state, owner, request);
  if (!demand) return {Answer::refusal(demand.what()), {}, false};
  const auto found = find_beside(state, own, *demand, *window, now);
  if (!found.assignment) return {no_place(found), {}, false};
  prepared.shape = shape_of(state.configuration(), request, *window, *found.assignment);
  prepared.on_unhealthy = found.on_unhealthy;
  return prepared;
}

ReservationKey add_held(State& state, const Caller& caller, const ReservationRequest& request,
                        Proposal proposal, Instant now) {
  Reservation reservation;
  state.name(reservation);
  const auto key = reservation.key;
  reservation.owner = caller;
  reservation.submitted = now;
  reservation.request = request;
  reservation.proposed = {std::move(proposal)};
  state.put(std::move(reservation));
  return key;
}

} // namespace almanac::rules
