#include "core/planning/series_seeker.hpp"

#include "core/matching/suitability.hpp"
#include "core/planning/series_plan.hpp"
#include "core/planning/waiting.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>
#include <vector>

namespace almanac::rules {

namespace {

constexpr Duration far_ahead{30 * series_horizon.seconds};

bool has_same_places(const Reservation& a, const Reservation& b) {
  return a.shape.pe == b.shape.pe && a.shape.bookings == b.shape.bookings &&
         a.request.hosts == b.request.hosts;
}

// Of all that did not fit, and of those that come into the horizon.
std::vector<Window> windows_to_come(const Series& series, Instant now) {
  std::vector<Window> windows;
  for (const auto& conflict : series.conflicts) windows.push_back(conflict.window);
  const std::chrono::local_seconds decided{std::chrono::seconds(series.decided)};
  const auto later =
      occurrences_of(repetition_of(series.recurrence, series.request.duration),
                     zone_of(series.recurrence), now + far_ahead, most_occurrences, decided);
  for (const auto& one : later.list) windows.push_back(one.window);
  return windows;
}

std::int64_t most_slots(const ReservationRequest& request) {
  std::int64_t most = 1;
  for (const auto& range : request.slots) most = std::max(most, range.high);
  return most;
}

} // namespace

Seeker::Seeker(const State& state, const Job& job, Instant now)
    : state_(state),
      job_(job),
      now_(now),
      demand_(demand_of_job(state.configuration(), job.request, job.owner)) {}

template <class Fits> bool Seeker::fits_any(Fits fits) const {
  const auto& standing = state_.occupancy().standing_series;
  for (const auto series : standing.meant_by(job_.request->reservation))
    for (const auto key : standing.occurrences(series))
      if (fits(*state_.reservation(key))) return true;
  return false;
}

bool Seeker::fits_granted() {
  return fits_any([&](const Reservation& one) { return fits(one); });
}

bool Seeker::fits_beside(const std::set<ReservationKey>& changed) {
  return fits_any([&](const Reservation& one) {
    return !changed.contains(one.key) && fits(one) &&
           (one.phase != ReservationPhase::running ||
            has_room_in(state_, one, *demand_, *job_.request, now_));
  });
}

bool Seeker::fits(const Reservation& one) {
  if (!demand_ || reservation_obstacle(state_, one, job_.owner, job_.request, now_)) return false;
  if (too_small_ && has_same_places(one, *too_small_)) return false;
  if (is_suitable_in(state_, one, *demand_, job_.request, now_)) return true;
  too_small_ = &one;
  return false;
}

bool Seeker::fits_later() const {
  for (const auto number : state_.occupancy().standing_series.meant_by(job_.request->reservation)) {
    const auto& series = *state_.series(number);
    if (least_slots(*job_.request) > most_slots(series.request)) continue;
    Reservation one;
    one.owner = series.owner, one.request = series.request;
    one.shape.users = series.request.users;
    for (const auto& window : windows_to_come(series, now_)) {
      one.shape.window = window;
      if (!reservation_obstacle(state_, one, job_.owner, job_.request, now_)) return true;
    }
  }
  return false;
}

Statement Seeker::why_not(const Reservation& one) const {
  if (!admits(state_.configuration(), one, job_.owner))
    return {AnswerCode::user_shut_out, {{"user", job_.owner.user}}};
  if (auto why = reservation_obstacle(state_, one, job_.owner, job_.request, now_)) return *why;
  return {AnswerCode::not_in_changed_reservation, {}};
}

Statement Seeker::why_none() const {
  const auto& request = job_.request;
  Statement none{AnswerCode::no_occurrence_for_job, {{"reservation", request->reservation}}};
  if (auto why = reservation_obstacle(state_, job_.owner, request, now_))
    none.details.emplace_back("why", std::move(*why));
  return none;
}

std::string kind_of(const Job& job) {
  const auto& request = *job.request;
  std::string kind = class_name(job);
  for (const auto number :
       {request.reservation.value, request.execution_time.seconds, request.deadline.seconds})
    kind += "\x1f" + std::to_string(number);
  return kind;
}

bool LeftOut::has_of_deleted(const Job& job) {
  const auto named = job.request->reservation;
  return !state_.series(named) && !state_.occupancy().standing_series.meant_by(named).empty() &&
         has(job);
}

bool LeftOut::has(const Job& job) {
  const auto [it, is_new] = known_.try_emplace(kind_of(job));
  if (is_new) {
    Seeker seeker(state_, job, now_);
    it->second = !seeker.fits_granted() && !seeker.fits_later();
  }
  return it->second;
}

} // namespace almanac::rules
