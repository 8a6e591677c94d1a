#include "core/planning/named_jobs.hpp"

#include "core/matching/suitability.hpp"
#include "core/planning/keyed_reservations.hpp"

#include <utility>

namespace almanac::rules {

namespace {

void bind(State& state, const Reservation& reservation, JobKey job_key, Instant now) {
  const auto& job = *state.job(job_key);
  if (state.configuration().queues().contains(job.request->queues.front())) return;
  JobRequest request = job.request;
  request.reservation = reservation.number, request.queues.clear();
  if (reservation_obstacle(state, reservation, job.owner, request, now)) return;
  const auto demand = demand_of_job(state.configuration(), request, job.owner);
  if (!demand || !is_suitable_in(state, reservation, *demand, request, now)) return;
  state.keep_holds(job_key, 0);
  const auto key = reservation.key;
  state.edit<Job>(job_key, [&](Job& bound) {
    bound.reservation_key = key, bound.request = std::move(request);
  });
  state.waiting().leave_class(job_key);
  state.reindex(job_key, now);
}

} // namespace

void bind_named_jobs(State& state, ReservationNumber number, Instant now) {
  const auto jobs = state.occupancy().jobs_naming.of(number);
  if (jobs.empty()) return;
  const auto* reservation = state.reservation_by_number(number);
  if (!reservation || !reservation->is_granted()) return;
  if (needs_its_key(state, number)) return; // no job has shown it
  for (const auto key : jobs) bind(state, *reservation, key, now);
}

} // namespace almanac::rules
