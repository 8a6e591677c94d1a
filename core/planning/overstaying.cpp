#include "core/planning/overstaying.hpp"

#include "core/job/inside.hpp"
#include "core/matching/supply.hpp"

namespace almanac::rules {

namespace {

std::string amount_of(const Configuration& configuration, const Booking& booking) {
  const auto* complex = configuration.complexes().find(booking.resource.name);
  return complex ? complex->print_amount(booking.amount) : std::to_string(booking.amount);
}

bool is_past_its_time(const Task& task, Instant now) {
  return task.deleting || (!task.limit.is_endless() && task.booked.start + task.limit <= now);
}

} // namespace

std::vector<Statement> overstaying(const State& state, ReservationKey key, Instant now) {
  constexpr std::size_t most = 10;
  std::vector<Statement> found;
  const auto* reservation = state.reservation(key);
  if (!reservation || reservation->phase != ReservationPhase::running) return found;
  for (const auto& reserved : reservation->shape.bookings) {
    if (overbooked(state, reserved, now) <= 0) continue;
    for (const auto& task : state.tasks()) {
      const auto& job = *state.job(task.job);
      if (reservation_of(job, task) == key || !is_past_its_time(task, now)) continue;
      for (const auto& held : task.bookings)
        if (held.container == reserved.container && held.resource == reserved.resource)
          found.push_back({AnswerCode::still_held_at_start,
                           {{"reservation", reservation->number},
                            {"job", job.number},
                            {"amount", amount_of(state.configuration(), held)},
                            {"resource", held.resource.name},
                            {"place", held.container.text()}}});
      if (found.size() >= most) return found;
    }
  }
  return found;
}

} // namespace almanac::rules
