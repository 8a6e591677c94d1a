#include "core/planning/commands/rerun_change.hpp"

#include "core/job/inside.hpp"
#include "core/planning/start.hpp"

#include <algorithm>

namespace almanac::rules {

std::vector<std::int64_t> with_other_rerun(const State& state, const Job& job,
                                           const JobRequest& next) {
  std::vector<std::int64_t> tasks;
  if (next.rerun == job.request->rerun) return tasks;
  for (const auto& task : state.tasks_of(job.key))
    if (task.is_active() && !reservation_of(job, task) &&
        task.rerunnable != is_rerunnable(state, next, task))
      tasks.push_back(task.number);
  return tasks;
}

namespace {

// Beside what is booked for spare hosts, where any lie.
bool has_room(const State& state, const Ledger& ledger, const Booking& booking, Window window) {
  const auto* second = ledger.with_spares(ledger.find(booking.container, booking.resource));
  const auto capacity =
      configured_capacity(state.configuration(), booking.container, booking.resource);
  return !second || !capacity || second->max(window) + booking.amount <= *capacity;
}

bool has_room(const State& state, const Task& task, Instant now) {
  const auto from_now_on = [&](Window window) { return Window{now, std::max(now, window.end)}; };
  return std::all_of(task.bookings.begin(), task.bookings.end(), [&](const Booking& booking) {
    return has_room(state, state.ledger(), booking, from_now_on(task.booked)) &&
           (!state.firm_ledger() ||
            has_room(state, *state.firm_ledger(), booking, from_now_on(firm_window(task))));
  });
}

bool has_spares_beside(const Reservation& reservation, const Task& task) {
  const auto& spares = reservation.shape.spares;
  return std::any_of(spares.begin(), spares.end(), [&](const Grant& spare) {
    return std::any_of(task.grants.begin(), task.grants.end(), [&](const Grant& grant) {
      return grant.instance.host == spare.instance.host;
    });
  });
}

Statement is_on_spares(const State& state, const Task& task) {
  Statement stays{AnswerCode::runs_on_spares, {}};
  for (const auto& grant : task.grants)
    for (const auto key : state.occupancy().reservations_on.on(grant.instance.host))
      if (const auto& one = *state.reservation(key);
          has_spares_beside(one, task) && one.shape.window.overlaps(firm_window(task))) {
        stays.details.emplace_back("reservation", one.number);
        return stays;
      }
  return stays;
}

} // namespace

std::optional<Statement> rerun_obstacle(const State& state, JobKey key,
                                        const std::vector<std::int64_t>& tasks, Instant now) {
  for (const auto number : tasks)
    if (const auto& task = *state.task({key, number});
        task.rerunnable && !has_room(state, task, now))
      return is_on_spares(state, task);
  return std::nullopt;
}

void change_rerun(State& state, JobKey key, const std::vector<std::int64_t>& tasks) {
  for (const auto number : tasks)
    state.edit<Task>({key, number}, [](Task& task) { task.rerunnable = !task.rerunnable; });
}

} // namespace almanac::rules
