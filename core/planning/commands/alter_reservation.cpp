#include "core/planning/commands/alter_reservation.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/altered_reservation.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/reservation_change.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/site_consent.hpp"

#include <utility>

namespace almanac::rules {

// One request writes only so many jobs anew.
std::optional<Answer> writing_obstacle(State& state, const std::vector<HeldJob>& jobs,
                                       ReservationNumber number) {
  for (const auto& held : jobs) {
    const auto& job = *state.job(held.job);
    if (state.may_write(held.job, kept_bytes(job))) continue;
    auto answer = Answer::refusal({AnswerCode::too_much_in_one_request, {{"job", job.number}}});
    answer.refuse({AnswerCode::reservation_not_changed, {{"reservation", number}}});
    return answer;
  }
  return std::nullopt;
}

namespace {

// It has a place, which is kept while the site is asked.
Answer ask_first(State& state, const Caller& caller, const AlterReservation& command,
                 const ReservationChange& change, Instant now) {
  auto proposed = *state.reservation(change.key);
  if (!proposed.proposed.empty()) {
    tell_of_withdrawal(state, proposed); // it lapsed
    remember(state, proposed, false, now);
  }
  Proposal proposal;
  proposal.verb = change.reshapes ? ReservationVerb::change : ReservationVerb::amend;
  if (change.reshapes) proposal.shape = change.shape;
  proposal.request = change.request;
  proposal.request.asap = change.starts_asap; // until it is changed
  proposal.by = caller;
  proposal.force = command.force;
  proposed.proposed = {std::move(proposal)};
  auto answer = ask_site(state, std::move(proposed), HookEvent::change, now);
  answer.refuse({AnswerCode::reservation_not_changed, {{"reservation", command.number}}});
  return answer;
}

} // namespace

Answer alter_reservation(State& state, const Caller& caller, const AlterReservation& command,
                         Instant now) {
  const auto found = find_change(state, caller, command, now);
  if (found.refusal) return *found.refusal;
  const auto& change = *found.change;
  if (auto why = writing_obstacle(state, change.held, command.number)) return *why;
  // Managers close hosts without asking.
  const bool asks = site_must_agree(state, HookEvent::change) && !change.maintenance;
  return asks ? ask_first(state, caller, command, change, now)
              : carry_out(state, caller, change, now);
}

} // namespace almanac::rules
