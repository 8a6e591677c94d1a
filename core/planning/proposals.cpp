#include "core/planning/proposals.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/lent_room.hpp"
#include "core/matching/occupants.hpp"
#include "core/matching/summed_obstacles.hpp"
#include "core/planning/requests.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/policy/standing.hpp"
#include "core/request/valid.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>

namespace almanac::rules {

namespace {

bool may_reserve(const Configuration& configuration, const Caller& caller) {
  if (is_manager(configuration, caller)) return true;
  return configuration.is_in_userset("arusers", caller.user, primary_group(caller));
}

} // namespace

std::optional<Answer> number_obstacle(const State& state, const Caller& caller,
                                      std::int64_t planned) {
  const auto& global = state.configuration().global();
  const auto& there = state.occupancy().reservations_of;
  if (there.standing() + planned >= global.max_advance_reservations)
    return Answer::refusal(
        {AnswerCode::too_many_reservations, {{"limit", global.max_advance_reservations}}}, 25);
  if (is_manager(state.configuration(), caller)) return std::nullopt;
  const auto most = limit_of(state.configuration(), global.max_u_advance_reservations, caller);
  if (!most || there.standing(caller.user) + planned < *most) return std::nullopt;
  return Answer::refusal(
      {AnswerCode::too_many_reservations_of_user, {{"limit", *most}, {"user", caller.user}}}, 25);
}

std::optional<Statement> change_obstacle(const ReservationRequest& request) {
  const auto sound = valid(request);
  if (sound) return std::nullopt;
  return Statement{AnswerCode::denied, {{"why", sound.what()}}};
}

void begin_now(ReservationRequest& request, Instant now) {
  constexpr Duration late{60};
  if (request.start == Instant{} || request.start >= now || request.start + late < now) return;
  if (request.has_duration && request.end == Instant{})
    request.end = request.start + request.duration;
  request.duration = {}, request.has_duration = false;
  request.start = now;
}

Statement is_over_already(const Reservation& reservation) {
  const bool is_canceled = reservation.shown_phase() == ReservationPhase::canceled;
  return {is_canceled ? AnswerCode::reservation_is_canceled : AnswerCode::reservation_is_over,
          {{"reservation", reservation.number}}};
}

std::optional<Statement> users_obstacle(const Configuration& configuration,
                                        const ReservationRequest& request) {
  for (const auto& entry : request.users) {
    const auto name = entry.starts_with('!') ? entry.substr(1) : entry;
    if (name.starts_with('@') && !configuration.usersets().contains(name.substr(1)))
      return Statement{AnswerCode::no_such_userset, {{"userset", excerpt(name.substr(1))}}};
    if (name.empty()) return Statement{AnswerCode::no_such_user, {{"user", excerpt(entry)}}};
  }
  return std::nullopt;
}

namespace {

// Those whose room it may use are its owner's, or let him in (spec/metascheduler.md M3.13, M8.14).
std::optional<Answer> room_obstacle(const State& state, const Caller& caller,
                                    const ReservationRequest& request, OthersRoom room) {
  for (const auto number : request.room_of) {
    const auto* lender = state.reservation_by_number(number);
    if (room == OthersRoom::used && lender && may_lend(state, *lender) &&
        (owns(caller, lender->owner) || admits(state.configuration(), *lender, caller)))
      continue;
    return Answer::refusal(
        {AnswerCode::room_not_lent, {{"reservation", number}, {"user", caller.user}}});
  }
  return std::nullopt;
}

} // namespace

std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const ReservationRequest& request, bool is_new,
                                      OthersRoom room) {
  const auto& configuration = state.configuration();
  if (!may_reserve(configuration, caller))
    return Answer::refusal({AnswerCode::arusers_needed, {{"user", caller.user}}});
  if (auto why = users_obstacle(configuration, request)) return Answer::refusal(*why);
  if (const auto& name = request.checkpoint;
      !name.empty() && !configuration.checkpoints().contains(name))
    return Answer::refusal({AnswerCode::no_such_ckpt, {{"ckpt", excerpt(name)}}});
  if (!is_new) return std::nullopt; // what it has from others it keeps as far as it needs it
  if (auto why = room_obstacle(state, caller, request, room)) return why;
  if (auto why = project_obstacle(configuration, caller, request.project))
    return Answer::refusal(*why);
  if (auto why = number_obstacle(state, caller, 0)) return why;
  return budget_obstacle(state, caller, kept_bytes(request));
}

std::optional<Answer> budget_obstacle(const State& state, const Caller& caller, std::int64_t more) {
  if (is_manager(state.configuration(), caller)) return std::nullopt;
  const auto kept = state.occupancy().reservations_of.kept_bytes(caller.user);
  if (auto why = keep_obstacle(state, caller, kept, more))
    return Answer::refusal({AnswerCode::rejected, {{"why", *why}}}, 25);
  return std::nullopt;
}

namespace {

// "16.0"
std::string tenths(std::int64_t tenths) {
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

constexpr std::int64_t tenth_of_an_hour = 360; // seconds

std::int64_t seconds_of(const Shape& shape, Instant now) {
  return slot_seconds(shape.slots_with_spares(), shape.window, now);
}

// An earlier change of it may have lapsed and still be there.
std::int64_t seconds_of_larger(const Reservation& reservation, Instant now) {
  std::int64_t most = 0;
  for (const auto* shape : shapes_of(reservation)) most = std::max(most, seconds_of(*shape, now));
  return most;
}

} // namespace

// What is asked for and in use is rounded up, what is left down: nobody reads of room that is not
// there.
std::optional<Answer> slot_hours_obstacle(const State& state, const Caller& caller,
                                          const Caller& owner, const Shape& next,
                                          const Reservation* own, Instant now,
                                          std::int64_t planned) {
  const auto& configuration = state.configuration();
  const auto hours = limit_of(configuration, configuration.global().max_u_ar_slot_hours, owner);
  if (!hours || is_manager(configuration, caller)) return std::nullopt;
  const auto before = own ? seconds_of(own->shape, now) : 0;
  const auto in_use = state.occupancy().reservations_of.slot_seconds(owner.user, now) + planned -
                      (own ? seconds_of_larger(*own, now) - before : 0);
  const auto more = seconds_of(next, now) - before;
  const auto left = std::max<std::int64_t>(0, *hours * 3600 - in_use);
  if (more <= 0 || more <= left) return std::nullopt;
  const auto rounded_up = [](std::int64_t seconds) {
    return tenths((seconds + tenth_of_an_hour - 1) / tenth_of_an_hour);
  };
  return Answer::refusal({AnswerCode::too_many_slot_hours,
                          {{"more", rounded_up(more)},
                           {"used", rounded_up(in_use)},
                           {"limit", tenths(*hours * 10)},
                           {"user", owner.user},
                           {"left", tenths(left / tenth_of_an_hour)}}},
                         25);
}

Shape shape_of(const Configuration& configuration, const ReservationRequest& request, Window window,
               const Assignment& assignment) {
  const auto* pe = configuration.find(ObjectKind::parallel_environment, assignment.pe);
  const auto* rule = pe ? pe->find("allocation_rule") : nullptr;
  if (pe && !request.pe_rule.empty()) rule = &request.pe_rule;
  return {window,
          assignment.grants,
          assignment.bookings,
          assignment.pe,
          request.users,
          rule ? *rule : request.allocation_rule,
          assignment.spares,
          assignment.spare_bookings};
}

namespace {

bool says_too_few_nodes(AnswerCode code) {
  return code == AnswerCode::not_enough_nodes || is_of_policy(code);
}

} // namespace

bool is_of_policy(AnswerCode code) {
  return code == AnswerCode::too_few_nodes_reservable || code == AnswerCode::policy_is_unreadable;
}

Answer no_place(const Found& found) {
  Answer answer;
  Statement refusal{AnswerCode::no_suitable_queues_for_reservation, {}};
  for (auto& reason : summed_up(found.obstacles))
    if (says_too_few_nodes(reason.code)) refusal = std::move(reason);
    else answer.warn(std::move(reason));
  answer.refuse(std::move(refusal));
  return answer;
}

namespace {

// Where jobs in it hold the most comes first, then the rest of what it has: what it keeps is not
// exchanged (spec/plus.md P3.49), and its tasks stay inside where they can.
std::vector<InstanceName> preferred(const State& state, const Reservation& own) {
  std::map<InstanceName, std::int64_t> held;
  each_task_inside(state, own, [&](const Job&, const Task& task) {
    for (const auto& grant : task.grants) held[grant.instance] += grant.slots;
  });
  std::vector<InstanceName> names;
  for (const auto& grant : own.shape.grants) names.push_back(grant.instance);
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return held[a] > held[b]; });
  return names;
}

// With room of others only where that is better than unhealthy instances.
Found find_new(const State& state, const ReservationRequest& request, const Demand& demand,
               Window window, Instant now) {
  auto found = find_place(state, demand, window, now);
  if (request.room_of.empty() || (found.assignment && !found.on_unhealthy)) return found;
  const LentRoom room(state, request.room_of);
  auto lent = find_place_sparing(room.look(), demand, window, now, room.instances());
  const bool is_better = lent.assignment && (!found.assignment || !lent.on_unhealthy);
  return is_better || !found.assignment ? lent : found;
}

// A place that `own` may have instead of its own.
Found find_beside(State& state, const Reservation* own, const ReservationRequest& request,
                  const Demand& demand, Window window, Instant now) {
  if (!own) return find_new(state, request, demand, window, now);
  auto changed = demand;
  changed.nodes.changes = own->key;
  Unbooked looking(state, own->key);
  looking.free_lent_room();
  for (const auto& left : own->left_behind)
    looking.book(left.bookings, window_of(left, own->shape));
  return find_place(state, changed, window, now, preferred(state, *own));
}

} // namespace

namespace {

template <class Find> Prepared find_shape(const State& state, const Caller& owner,
                                          const ReservationRequest& request,
                                          const Result<Window, Statement>& window, Find find) {
  Prepared prepared;
  if (!window) return {Answer::refusal(window.error()), {}, false};
  auto demand = demand_of_reservation(state, owner, request);
  if (!demand) return {Answer::refusal(demand.error()), {}, false};
  const Found found = find(*demand, *window);
  if (!found.assignment) return {no_place(found), {}, false};
  prepared.shape = shape_of(state.configuration(), request, *window, *found.assignment);
  prepared.on_unhealthy = found.on_unhealthy;
  return prepared;
}

} // namespace

std::optional<Statement> little_time_left(const State& state, Window window) {
  const auto offset = state.configuration().scheduler().duration_offset;
  if (window.length().seconds > 10 * offset.seconds) return std::nullopt;
  const auto left = window.length() - offset;
  Statement warning{left.seconds > 0 ? AnswerCode::jobs_have_little_time
                                     : AnswerCode::no_job_has_time,
                    {{"reserved", window.length()}, {"offset", offset.seconds}}};
  if (left.seconds > 0) warning.details.emplace_back("left", left);
  return warning;
}

Prepared find_shape(State& state, const Caller& owner, const ReservationRequest& request,
                    const Reservation* own, Instant now) {
  return find_shape(state, owner, request, requested_window(request, now, own),
                    [&](const Demand& demand, Window window) {
                      return find_beside(state, own, request, demand, window, now);
                    });
}

Prepared find_shape(const State& state, const Caller& owner, const Reserve& command, Instant now) {
  return find_shape(state, owner, command.request, requested_window(command.request, now),
                    [&](const Demand& demand, Window window) {
                      return find_for(state, command, demand, window, now);
                    });
}

std::optional<Answer> override_obstacle(const State& state, const Caller& caller,
                                        const Reserve& command) {
  if (!command.override_holds || is_manager(state.configuration(), caller)) return std::nullopt;
  return Answer::refusal({AnswerCode::overriding_for_managers, {{"user", caller.user}}});
}

namespace {

// What would be free if nothing were held: whoever is refused for that alone is told.
void add_holds_in_the_way(const Snapshot& state, const Demand& demand, Window window, Instant now,
                          Obstacles& obstacles) {
  constexpr std::size_t most = 10;
  if (state.occupancy().jobs_with_holds.keys().empty()) return;
  const auto without = find_place_over_holds(state, demand, window, now, Obstacles::unwanted());
  if (!without.assignment) return;
  std::vector<Statement> jobs;
  for (const auto& hold : holds_beside(state, without.assignment->bookings, window))
    jobs.push_back({AnswerCode::a_hold,
                    {{"job", state.job(hold.job)->number},
                     {"from", hold.window.start},
                     {"end", taken_to(hold.window.end)}}});
  const auto more = jobs.size() > most ? jobs.size() - most : 0;
  jobs.resize(jobs.size() - more);
  Statement in_the_way{AnswerCode::only_holds_in_the_way, {{"jobs", std::move(jobs)}}};
  if (more > 0) in_the_way.details.emplace_back("more", more);
  obstacles.add(std::move(in_the_way));
}

} // namespace

Found find_for(const Snapshot& state, const Reserve& command, const Demand& demand, Window window,
               Instant now, bool ruled_out) {
  const auto wanted = command.explain ? Obstacles::in_full() : Obstacles();
  const auto obstacles = ruled_out ? wanted.of_ruled_out() : wanted;
  if (command.override_holds) return find_place_over_holds(state, demand, window, now, obstacles);
  auto found = find_place(state, demand, window, now, {}, obstacles);
  if (!found.assignment) add_holds_in_the_way(state, demand, window, now, found.obstacles);
  return found;
}

Reservation new_reservation(State& state, const Caller& caller, const ReservationRequest& request,
                            Instant now) {
  Reservation reservation;
  state.name(reservation);
  reservation.owner = caller;
  reservation.submitted = now;
  reservation.request = request;
  reservation.request.resources =
      last_of_each(state.configuration().complexes(), request.resources);
  return reservation;
}

} // namespace almanac::rules
