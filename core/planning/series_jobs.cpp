#include "core/planning/series_jobs.hpp"

#include "core/matching/suitability.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"

namespace almanac::rules {

namespace {

// To the first one that it fits into. Nothing of it runs.
void bind(State& state, JobKey key, Instant now) {
  const auto& job = *state.job(key);
  const auto* next = meant_reservation(state, job.owner, job.request, now);
  if (!next || next->key == job.reservation_key) return;
  state.edit<Job>(key, [&](Job& waiting) { waiting.reservation_key = next->key; });
  state.waiting().leave_class(key);
  state.reindex(key, now);
}

} // namespace

std::vector<JobKey> jobs_waiting_for(const State& state, const Series& series) {
  const auto& standing = state.occupancy().standing_series;
  const auto oldest = series.origins.empty() ? series.number : series.origins.front();
  std::vector<JobKey> jobs;
  for (const auto other : standing.meant_by(oldest))
    for (const auto key : standing.occurrences(other))
      for (const auto job : state.occupancy().jobs_of.of(key))
        if (standing.meant_by(state.job(job)->request->reservation).contains(series.number))
          jobs.push_back(job);
  return jobs;
}

void bind_to_earlier(State& state, ReservationNumber number, Instant now) {
  const auto* series = state.series(number);
  if (!series) return;
  for (const auto job : jobs_waiting_for(state, *series))
    if (state.tally(job).active == 0) bind(state, job, now);
}

namespace {

void bind_to_next(State& state, JobKey job_key, const Reservation& over, Instant now) {
  const auto& job = *state.job(job_key);
  const auto old = over.key;
  if (state.occupancy().standing_series.meant_by(job.request->reservation).empty()) {
    tell_of_waiting(
        state, job,
        text_of({AnswerCode::reservation_ended, {{"reservation", job.request->reservation}}}), now);
    return erase_job(state, job_key);
  }
  bind(state, job_key, now);
  let_go(state, old);
}

} // namespace

void bind_to_next(State& state, Instant now) {
  const auto ending = state.occupancy().standing_series.ending();
  for (const auto key : ending)
    for (const auto job : state.occupancy().jobs_of.of(key)) {
      const auto* over = state.reservation(key);
      if (over && state.job(job)->request->reservation != over->number &&
          state.tally(job).active == 0)
        bind_to_next(state, job, *over, now);
    }
}

} // namespace almanac::rules
