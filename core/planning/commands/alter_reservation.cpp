#include "core/planning/commands/alter_reservation.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/altered_reservation.hpp"
#include "core/planning/reservation_change.hpp"

namespace almanac::rules {

// One request writes only so many jobs anew.
std::optional<Answer> writing_obstacle(State& state, const ReservationChange& change,
                                       ReservationNumber number) {
  for (const auto& held : change.held) {
    const auto& job = *state.job(held.job);
    if (state.may_write(held.job, kept_bytes(job))) continue;
    auto answer = Answer::refusal({AnswerCode::too_much_in_one_request, {{"job", job.number}}});
    answer.refuse({AnswerCode::reservation_not_changed, {{"reservation", number}}});
    return answer;
  }
  return std::nullopt;
}

Answer alter_reservation(State& state, const Caller& caller, const AlterReservation& command,
                         Instant now) {
  const auto found = find_change(state, caller, command, now);
  if (found.refusal) return *found.refusal;
  const auto& change = *found.change;
  if (auto why = writing_obstacle(state, change, command.number)) return *why;
  auto answer = carry_out(state, caller, change, now);
  if (state.reservation(change.key)->series)
    state.edit<Reservation>(change.key, [](Reservation& one) { one.altered = true; });
  return answer;
}

} // namespace almanac::rules
