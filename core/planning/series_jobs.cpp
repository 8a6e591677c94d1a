#include "core/planning/series_jobs.hpp"

#include "core/matching/suitability.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"

#include <vector>

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

void bind_to_earlier(State& state, ReservationNumber series, Instant now) {
  const auto occurrences = state.occupancy().standing_series.occurrences(series);
  for (const auto key : occurrences)
    for (const auto job : state.occupancy().jobs_of.of(key))
      if (state.job(job)->request->reservation == series && state.tally(job).active == 0)
        bind(state, job, now);
}

void follow_rest(State& state, ReservationNumber ended, ReservationNumber rest, Instant now) {
  const auto& standing = state.occupancy().standing_series;
  auto occurrences = standing.occurrences(ended);
  for (const auto& more : {standing.occurrences(rest), standing.ending()})
    occurrences.insert(more.begin(), more.end());
  std::vector<JobKey> jobs;
  for (const auto key : occurrences)
    for (const auto job : state.occupancy().jobs_of.of(key))
      if (state.job(job)->request->reservation == ended) jobs.push_back(job);
  for (const auto key : jobs) {
    JobRequest request = *state.job(key)->request;
    request.reservation = rest;
    state.edit<Job>(key, [&](Job& job) { job.request = std::move(request); });
    state.waiting().leave_class(key);
    state.reindex(key, now);
  }
}

namespace {

void bind_to_next(State& state, JobKey job_key, const Reservation& over, Instant now) {
  const auto& job = *state.job(job_key);
  const auto old = over.key;
  if (!state.series(job.request->reservation)) {
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
