#include "core/planning/idle_reservations.hpp"

namespace almanac::rules {

namespace {

// A job that asked for it and could start, if there were room, is a use of it.
bool may_still_run(const Job& job, const TaskTally& tally) {
  return !job.is_held() && waiting_unheld(job, tally) > 0;
}

// What runs on hosts that cannot be reached is there, too.
bool is_used(const State& state, ReservationKey key) {
  if (state.occupancy().attracted.any(key)) return true;
  for (const auto job : state.occupancy().jobs_of.of(key)) {
    const auto& tally = state.tally(job);
    if (tally.active > 0 || may_still_run(*state.job(job), tally)) return true;
  }
  return false;
}

// Of one that goes with its last job: none has left that is bound to it, whatever keeps it from
// running (spec/beyond.md B4.25, B7.43).
bool has_jobs(const State& state, ReservationKey key) {
  return state.occupancy().jobs_of.any(key) || state.occupancy().attracted.any(key);
}

// Until its start it waits for its first job; with an error that is hard nobody can start one.
bool is_open(const Reservation& reservation) {
  return reservation.phase == ReservationPhase::running &&
         !(reservation.request.hard && !reservation.bad.empty());
}

// One that goes with its last job does so whether it has begun or not, but has to have had one.
Instant idle_since(const State& state, const Reservation& reservation, Instant now) {
  const auto& was = reservation.idle_since;
  const bool with_last_job = reservation.request.idle_for == Duration{};
  if (with_last_job ? has_jobs(state, reservation.key) : is_used(state, reservation.key))
    return Instant::never();
  if (with_last_job) return was.is_never() ? now : was;
  if (!is_open(reservation)) return {};
  return was.is_never() || was == Instant{} ? now : was;
}

} // namespace

void mind_idle(State& state, Instant now) {
  for (const auto key : state.take_idle_touched()) {
    const auto* reservation = state.reservation(key);
    if (!reservation || !reservation->is_granted()) continue;
    const auto since = idle_since(state, *reservation, now);
    if (since != reservation->idle_since)
      state.edit<Reservation>(key, [&](Reservation& kept) { kept.idle_since = since; });
  }
}

void restart_idle(State& state, Instant now) {
  const auto watched = state.idle_reservations();
  for (const auto key : watched) {
    const auto& since = state.reservation(key)->idle_since;
    if (since != Instant{} && !since.is_never())
      state.edit<Reservation>(key, [&](Reservation& kept) { kept.idle_since = now; });
  }
}

} // namespace almanac::rules
