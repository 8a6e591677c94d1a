#include "core/planning/preemption.hpp"

#include "core/job/inside.hpp"
#include "core/matching/assumption.hpp"
#include "core/matching/bookings.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/matching/supply.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/start.hpp"
#include "core/planning/texts.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace almanac::rules {

namespace {

using Tasks = std::set<TaskId>;

bool is_ordinary(const State& state, const Task& task) {
  return task.is_active() && !reservation_of(*state.job(task.job), task);
}

Tasks on_its_hosts(const State& state, const Reservation& reservation) {
  Tasks found;
  std::set<std::string> hosts;
  for (const auto& grant : reservation.shape.grants)
    if (hosts.insert(grant.instance.host).second) found.merge(state.tasks_on(grant.instance.host));
  std::erase_if(found, [&](const TaskId& id) { return !is_ordinary(state, *state.task(id)); });
  return found;
}

// What it has of the whole cell, or of a parallel environment, others may hold anywhere.
bool is_of_no_host(const Container& container) {
  return container.kind == Container::Kind::global || container.kind == Container::Kind::pe;
}

void add_holders_elsewhere(const State& state, const Reservation& reservation, Tasks& found) {
  std::set<std::pair<Container, Resource>> scarce;
  for (const auto& [container, resource, amount] : reservation.shape.bookings) {
    if (!is_of_no_host(container)) continue;
    const auto capacity = configured_capacity(state.configuration(), container, resource);
    if (capacity && state.used(container, resource, reservation.shape.window) > *capacity)
      scarce.emplace(container, resource);
  }
  if (scarce.empty()) return;
  const auto holds_some = [&](const Task& task) {
    return std::any_of(task.bookings.begin(), task.bookings.end(), [&](const Booking& booking) {
      return scarce.contains({booking.container, booking.resource});
    });
  };
  for (const auto& task : state.tasks())
    if (holds_some(task) && is_ordinary(state, task)) found.insert(task.id());
}

// Among what stays, as if it were to start now.
bool fits(const Snapshot& view, const Job& job, const Task& task, Instant now) {
  const auto demand = demand_of_job(view.configuration(), job.request, job.owner);
  if (!demand) return false;
  const auto supply = Supply::of_promises(view, firm_window(task).end.is_never())
                          .asked_by(task.rerunnable ? Claim::rerunnable : Claim::plain)
                          .before_preempting(true);
  return is_free(supply, *demand, task.bookings, {now, std::max(now, task.booked.end)});
}

// The oldest ones stay. Places that are held for waiting jobs are in nobody's way.
Tasks without_room(const State& state, const Tasks& tasks, Instant now) {
  std::vector<std::tuple<bool, Instant, TaskId>> by_age;
  Assumption without(state);
  for (const auto key : state.occupancy().jobs_with_holds.keys())
    without.drop_holds(*state.job(key));
  for (const auto& id : tasks) {
    const auto& task = *state.task(id);
    without.stop(*state.job(id.job), task);
    by_age.emplace_back(task.deleting, task.booked.start, id);
  }
  std::sort(by_age.begin(), by_age.end());
  Tasks found;
  for (const auto& [deleting, start, id] : by_age) {
    const auto& job = *state.job(id.job);
    const auto& task = *state.task(id);
    if (fits(without.look(), job, task, now)) without.start(job, task);
    else found.insert(id);
  }
  return found;
}

Tasks in_the_way(const State& state, const Reservation& reservation, Instant now) {
  auto found = on_its_hosts(state, reservation);
  Tasks all;
  if (reservation.request.whole_nodes) all = std::exchange(found, {});
  add_holders_elsewhere(state, reservation, found);
  for (const auto& id : all) found.erase(id);
  all.merge(without_room(state, found, now));
  return all;
}

bool goes_for_good(const State& state, const Job& job, const Task& task) {
  if (job.request->interaction != Interaction::none) return true;
  const auto rule = state.configuration().scheduler().plus.not_rerunnable;
  return rule == NotRerunnable::kill && !is_rerunnable(state, job, task);
}

void add_once(std::vector<ReservationKey>& keys, ReservationKey key) {
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
}

void tell_to_end(State& state, const TaskId& id, const Reservation& reservation,
                 const std::string& why) {
  const auto& known = *state.task(id);
  const bool for_good = goes_for_good(state, *state.job(id.job), known);
  const bool is_heard = state.host(known.grants.front().instance.host).phase != HostPhase::unknown;
  state.edit<Task>(id, [&](Task& task) {
    if (is_heard) add_once(task.gives_way_to, reservation.key);
    if (std::exchange(task.deleting, true)) return; // what becomes of it was decided before
    task.after_end = for_good ? AfterEnd::gone : AfterEnd::again;
    task.reason = why;
  });
}

} // namespace

void move_holds_away(State& state, ReservationKey key) {
  const auto* reservation = state.reservation(key);
  if (!reservation || !reservation->request.preempts ||
      state.occupancy().jobs_with_holds.keys().empty())
    return;
  std::set<JobKey> holders;
  for (const auto* shape : shapes_of(*reservation))
    for (const auto& hold : holds_beside(state, shape->bookings, shape->window))
      holders.insert(hold.job);
  if (!holders.empty())
    state.waiting().unsettle(
        {AnswerCode::held_place_preempted, {{"reservation", reservation->number}}}, holders);
}

namespace {

void tell_others_to_end(State& state, ReservationKey key, Instant now) {
  const auto reservation = *state.reservation(key);
  const auto why = text_of({AnswerCode::preempted_by, {{"reservation", reservation.number}}});
  for (const auto& id : in_the_way(state, reservation, now))
    tell_to_end(state, id, reservation, why);
}

} // namespace

bool make_room(State& state, ReservationKey key, Instant now) {
  state.edit<Reservation>(key, [&](Reservation& begun) {
    if (begun.others_end_since == Instant{}) begun.others_end_since = now;
  });
  tell_others_to_end(state, key, now);
  return state.occupancy().yielding.any(key);
}

void place_changed(State& state, ReservationKey key, Instant now) {
  const auto& changed = *state.reservation(key);
  if (!changed.request.preempts) return;
  if (changed.phase == ReservationPhase::running) return tell_others_to_end(state, key, now);
  if (changed.phase != ReservationPhase::waiting || changed.others_end_since == Instant{}) return;
  if (changed.shape.window.start > now)
    state.edit<Reservation>(key, [](Reservation& later) { later.others_end_since = {}; });
  else if (!make_room(state, key, now)) open(state, key);
}

void gave_way(State& state, const std::vector<ReservationKey>& to) {
  for (const auto key : to) {
    const auto* reservation = state.reservation(key);
    const bool waits = reservation && reservation->phase == ReservationPhase::waiting &&
                       reservation->others_end_since != Instant{};
    if (waits && !state.occupancy().yielding.any(key)) open(state, key);
  }
}

namespace {

// Nobody waits for them any more: those whose last ones these were begin, in the order of their
// keys.
void await_none_of(State& state, const std::vector<TaskId>& tasks) {
  std::set<ReservationKey> to;
  for (const auto& id : tasks) {
    const auto& gives_way_to = state.task(id)->gives_way_to;
    to.insert(gives_way_to.begin(), gives_way_to.end());
  }
  for (const auto& id : tasks) state.edit<Task>(id, [](Task& task) { task.gives_way_to.clear(); });
  gave_way(state, {to.begin(), to.end()});
}

} // namespace

// One that gives way to several is killed for all of them.
void await_none(State& state, ReservationKey key) {
  await_none_of(state, state.occupancy().yielding.of(key));
}

void await_none_on(State& state, const std::string& host) {
  std::vector<TaskId> there;
  for (const auto& id : state.tasks_on(host)) {
    const auto& task = *state.task(id);
    if (!task.gives_way_to.empty() && task.grants.front().instance.host == host)
      there.push_back(id);
  }
  await_none_of(state, there);
}

} // namespace almanac::rules
