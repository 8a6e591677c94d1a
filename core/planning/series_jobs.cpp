#include "core/planning/series_jobs.hpp"

#include "core/matching/suitability.hpp"
#include "core/planning/altered_reservation.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/series_seeker.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"
#include "core/planning/waiting.hpp"

#include <algorithm>
#include <map>

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

void close_to_new_jobs(State& state, ReservationNumber deleted) {
  const auto rests = state.occupancy().standing_series.meant_by(deleted);
  for (const auto rest : rests)
    state.edit<Series>(rest, [&](Series& series) { series.deleted_origins.push_back(deleted); });
}

std::optional<Statement> naming_obstacle(const State& state, ReservationNumber number) {
  for (const auto rest : state.occupancy().standing_series.meant_by(number)) {
    const auto& deleted = state.series(rest)->deleted_origins;
    if (std::find(deleted.begin(), deleted.end(), number) != deleted.end())
      return Statement{AnswerCode::invalid_reservation, {{"reservation", number}}};
  }
  return std::nullopt;
}

Statement said_of(const State& state, const HeldJob& held) {
  const auto code = held.why.code == AnswerCode::user_shut_out ? AnswerCode::about_a_job
                                                               : AnswerCode::job_fits_no_more;
  return {code, {{"job", state.job(held.job)->number}, {"why", held.why}}};
}

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

namespace {

std::optional<Statement> lost_place(const State& state, const Job& job,
                                    const ChangedOccurrences& changed, Instant now) {
  const auto& [before, after] = changed;
  Seeker seeker(state, job, now);
  if (std::any_of(after.begin(), after.end(), [&](const auto& one) { return seeker.fits(one); }) ||
      seeker.fits_beside(before) || std::none_of(before.begin(), before.end(), [&](auto key) {
        return seeker.fits(*state.reservation(key));
      }))
    return std::nullopt;
  return seeker.why_not(
      *std::max_element(after.begin(), after.end(), [](const auto& a, const auto& b) {
        return a.shape.window.length() < b.shape.window.length();
      }));
}

} // namespace

std::vector<HeldJob> jobs_without_place(const State& state, ReservationNumber series,
                                        const ChangedOccurrences& changed,
                                        const std::set<JobKey>& returning, Instant now) {
  std::vector<HeldJob> jobs;
  const auto* waited_for = state.series(series);
  if (!waited_for || changed.after.empty()) return jobs;
  std::map<std::string, std::optional<Statement>> known;
  for (const auto key : jobs_waiting_for(state, *waited_for)) {
    const auto& job = *state.job(key);
    if (waiting_tasks(job, state.tally(key)) == 0 && !returning.contains(key)) continue;
    const auto [it, is_new] = known.try_emplace(kind_of(job));
    if (is_new) it->second = lost_place(state, job, changed, now);
    if (it->second) jobs.push_back({key, *it->second});
  }
  return jobs;
}

void bind_to_earlier(State& state, ReservationNumber number, Instant now) {
  const auto* series = state.series(number);
  if (!series) return;
  for (const auto job : jobs_waiting_for(state, *series))
    if (state.tally(job).active == 0) bind(state, job, now);
}

namespace {

// The series lives on, but not for this job.
void hold_if_left_out(State& state, JobKey key, LeftOut& left_out, Instant now) {
  const auto& job = *state.job(key);
  if (job.held_by_user || !left_out.has(job)) return;
  hold(state, {{key, Seeker(state, job, now).why_none()}});
}

void bind_to_next(State& state, JobKey job_key, const Reservation& over, LeftOut& left_out,
                  Instant now) {
  const auto& job = *state.job(job_key);
  const auto old = over.key;
  if (state.occupancy().standing_series.meant_by(job.request->reservation).empty() ||
      (!state.series(over.series) && left_out.has_of_deleted(job))) {
    tell_of_waiting(
        state, job,
        text_of({AnswerCode::reservation_ended, {{"reservation", job.request->reservation}}}), now);
    return erase_job(state, job_key);
  }
  bind(state, job_key, now);
  let_go(state, old);
  if (state.job(job_key)->reservation_key != old) hold_if_left_out(state, job_key, left_out, now);
}

} // namespace

void bind_to_next(State& state, Instant now) {
  const auto ending = state.occupancy().standing_series.ending();
  LeftOut left_out(state, now);
  for (const auto key : ending)
    for (const auto job : state.occupancy().jobs_of.of(key)) {
      const auto* over = state.reservation(key);
      if (over && state.job(job)->request->reservation != over->number &&
          state.tally(job).active == 0)
        bind_to_next(state, job, *over, left_out, now);
    }
}

} // namespace almanac::rules
