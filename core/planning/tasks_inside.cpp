#include "core/planning/tasks_inside.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace almanac::rules {

void each_task_inside(const State& state, const Reservation& reservation,
                      const std::function<void(const Job& job, const Task& task)>& take) {
  for (const auto key : state.occupancy().jobs_of.of(reservation.key))
    for (const auto& task : state.tasks_of(key))
      if (task.is_active()) take(*state.job(key), task);
  for (const auto& id : state.occupancy().attracted.of(reservation.key))
    take(*state.job(id.job), *state.task(id));
}

void each_task_by_age(const State& state, const Reservation& reservation,
                      const std::function<void(const Job& job, const Task& task)>& take) {
  std::vector<std::pair<const Job*, const Task*>> all;
  each_task_inside(state, reservation,
                   [&](const Job& job, const Task& task) { all.emplace_back(&job, &task); });
  const auto rank = [](const auto& one) {
    const auto& [job, task] = one;
    return std::tuple(task->deleting, task->booked.start, job->number, task->number);
  };
  std::sort(all.begin(), all.end(),
            [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  for (const auto& [job, task] : all) take(*job, *task);
}

std::string name_inside(const Job& job, const Task& task) {
  return to_string(job.number) + (task.number > 0 ? "." + std::to_string(task.number) : "");
}

std::vector<Grant> held_by_tasks(const State& state, const Reservation& reservation) {
  std::map<InstanceName, std::int64_t> slots;
  each_task_inside(state, reservation, [&](const Job&, const Task& task) {
    for (const auto& grant : task.grants) slots[grant.instance] += grant.slots;
  });
  std::vector<Grant> held;
  for (const auto& [instance, count] : slots) held.push_back({instance, count});
  return held;
}

std::vector<Grant> held_in_shape(const State& state, const Reservation& reservation) {
  auto held = held_by_tasks(state, reservation);
  for (const auto& left : reservation.left_behind)
    for (auto& grant : held)
      if (grant.instance == left.instance) grant.slots -= left.slots;
  std::erase_if(held, [](const Grant& grant) { return grant.slots <= 0; });
  return held;
}

std::vector<Grant> held_in_shape(const State& state, const Reservation& reservation,
                                 std::int64_t most) {
  auto held = held_in_shape(state, reservation);
  auto slots = slots_of(held);
  if (slots <= most) return held;
  std::vector<const Task*> staying;
  each_task_by_age(state, reservation,
                   [&](const Job&, const Task& task) { staying.push_back(&task); });
  for (; slots > most && !staying.empty(); staying.pop_back())
    for (const auto& gone : staying.back()->grants)
      for (auto& grant : held)
        if (grant.instance == gone.instance) {
          const auto less = std::min(grant.slots, gone.slots);
          grant.slots -= less, slots -= less;
        }
  std::erase_if(held, [](const Grant& grant) { return grant.slots <= 0; });
  return held;
}

namespace {

// What tasks of a reservation hold on a queue instance.
struct Held {
  std::int64_t slots = 0;
  std::map<std::string, std::int64_t> of_pe; ///< slots of them, by parallel environment
  std::set<std::string> jobs;
  Instant end;
};

using HeldOn = std::map<InstanceName, Held>;

HeldOn held_on(const State& state, const Reservation& reservation, Amounts& amounts) {
  HeldOn held;
  each_task_inside(state, reservation, [&](const Job& job, const Task& task) {
    for (const auto& grant : task.grants) {
      auto& there = held[grant.instance];
      there.slots += grant.slots;
      if (!task.pe.empty() && !is_allocation_pe(task.pe)) there.of_pe[task.pe] += grant.slots;
      there.jobs.insert(name_inside(job, task));
      there.end = std::max(there.end, task.booked.end);
    }
    for (const auto& booking : task.bookings)
      amounts[{booking.container, booking.resource}] += booking.amount;
  });
  return held;
}

Instant known_until(const Reservation& reservation, const InstanceName& instance, Instant latest) {
  for (const auto& left : reservation.left_behind)
    if (left.instance == instance) return left.until;
  return std::min(reservation.shape.window.end, latest);
}

// What has no limit ends with the reservation at the latest.
LeftBehind left_there(const InstanceName& instance, std::int64_t slots, const Held& held,
                      Instant until) {
  if (!held.end.is_never()) until = std::max(until, held.end);
  LeftBehind left{instance, slots, {}, until, {}};
  left.jobs.assign(held.jobs.begin(), held.jobs.end());
  for (const auto& [pe, of_pe] : held.of_pe)
    left.bookings.push_back({Container::pe(pe), "slots", std::min(slots, of_pe)});
  return left;
}

bool is_there(const LeftBehind& left, const Container& container) {
  switch (container.kind) {
  case Container::Kind::queue: return container.name == left.instance.text();
  case Container::Kind::host: return container.name == left.instance.host;
  default: return false;
  }
}

// Jobs in the parallel environment need slots of it for the replacement, too, where it has as many.
void book_what_pe_has(const State& state, const Reservation& reservation,
                      std::vector<LeftBehind>& all) {
  Amounts booked;
  for (const auto& left : reservation.left_behind)
    for (const auto& booking : left.bookings)
      booked[{booking.container, booking.resource}] += booking.amount;
  for (auto& left : all) {
    for (auto& [container, resource, amount] : left.bookings) {
      if (container.kind != Container::Kind::pe) continue;
      const auto capacity = configured_capacity(state.configuration(), container, resource);
      const auto used = state.used(container, resource, window_of(left, reservation.shape)) -
                        booked[{container, resource}];
      const auto most = capacity ? std::max<std::int64_t>(0, *capacity - used) : 0;
      amount = std::min(amount, most);
      booked[{container, resource}] -= amount;
    }
    std::erase_if(left.bookings, [](const Booking& booking) { return booking.amount == 0; });
  }
}

} // namespace

std::vector<LeftBehind> left_behind(const State& state, const Reservation& reservation,
                                    const Shape& shape, Instant latest) {
  Amounts beyond;
  const auto held = held_on(state, reservation, beyond);
  for (const auto& booking : shape.bookings) {
    if (const auto it = beyond.find({booking.container, booking.resource}); it != beyond.end())
      it->second -= booking.amount;
    // Where nobody else is, tasks of it may be beside each other.
    beyond.erase({booking.container, Resource(booking.resource.name, true)});
  }
  std::vector<LeftBehind> found;
  for (const auto& [instance, there] : held)
    if (const auto slots = there.slots - shape.slots_on(instance); slots > 0)
      found.push_back(
          left_there(instance, slots, there, known_until(reservation, instance, latest)));
  for (const auto& [place, amount] : beyond)
    if (amount > 0)
      for (auto& left : found)
        if (is_there(left, place.first)) {
          left.bookings.push_back({place.first, place.second, amount});
          break;
        }
  return found;
}

void note_left_behind(State& state, ReservationKey key, Instant latest) {
  const auto& reservation = *state.reservation(key);
  auto left = left_behind(state, reservation, reservation.shape, latest);
  book_what_pe_has(state, reservation, left);
  if (left != reservation.left_behind)
    state.edit<Reservation>(key,
                            [&](Reservation& changed) { changed.left_behind = std::move(left); });
}

std::optional<Statement> overrun_of(const State& state, const Job& job, const Task& task,
                                    Window window) {
  const auto latest = window.end - state.configuration().scheduler().duration_offset;
  const auto end = task.last_moment();
  if (end.is_never() || end <= latest) return std::nullopt;
  return Statement{AnswerCode::task_runs_longer,
                   {{"task", name_inside(job, task)}, {"seconds", (end - latest).seconds}}};
}

namespace {

Duration limit_in(const State& state, const Job& job, const Task& task, Window window) {
  auto limit = asked_limit(job.request);
  for (const auto& grant : task.grants)
    if (const auto* instance = state.configuration().instance(grant.instance))
      limit = std::min(limit, instance->settings.hard_run_time);
  const auto offset = state.configuration().scheduler().duration_offset;
  return std::min(limit, window.end - offset - task.booked.start);
}

} // namespace

void prolong_tasks(State& state, ReservationKey key) {
  const auto& reservation = *state.reservation(key);
  std::vector<std::pair<TaskId, Duration>> longer;
  each_task_inside(state, reservation, [&](const Job& job, const Task& task) {
    const auto limit = limit_in(state, job, task, usable(reservation).window);
    if (!task.deleting && limit > task.limit) longer.emplace_back(task.id(), limit);
  });
  for (const auto& [id, limit] : longer)
    state.edit<Task>(id, [limit = limit](Task& task) { task.limit = limit; });
}

Instant end_before(const State& state, const Task& task, Instant end, Instant now) {
  const auto latest = end - state.configuration().scheduler().duration_offset;
  if (task.booked.start + task.limit <= latest) return {};
  return latest > now ? latest : std::min(end, task.last_moment());
}

Statement cut_short(const Job& job, const Task& task, Instant ended_at, Instant now) {
  return {AnswerCode::task_cut_short,
          {{"task", name_inside(job, task)},
           {"left", ended_at - now},
           {"less", task.last_moment() - ended_at}}};
}

KeptByShape::KeptByShape(const Shape& next, const std::vector<LeftBehind>& left_behind)
    : has_pe_(!next.pe.empty()), left_(amounts_of(next.bookings)) {
  for (const auto& left : left_behind)
    for (const auto& booking : left.bookings)
      left_[{booking.container, booking.resource}] += booking.amount;
}

std::optional<Statement> KeptByShape::lacks(const Job& job, const Task& task) {
  std::optional<Statement> why;
  // Who would be beside others takes nothing of what they have.
  const auto counts = [&](const Container& container, const Resource& resource) {
    return !resource.beside && (has_pe_ || container.kind != Container::Kind::pe);
  };
  for (const auto& [container, resource, amount] : task.bookings)
    if (counts(container, resource) && (left_[{container, resource}] -= amount) < 0 && !why)
      why = Statement{AnswerCode::task_holds_more,
                      {{"task", name_inside(job, task)},
                       {"resource", resource.name},
                       {"container", container.text()}}};
  if (why)
    for (const auto& [container, resource, amount] : task.bookings)
      if (counts(container, resource)) left_[{container, resource}] += amount;
  return why;
}

} // namespace almanac::rules
