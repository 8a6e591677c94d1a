#include "core/planning/commands/claims.hpp"

#include "core/planning/keyed_reservations.hpp"
#include "core/planning/wanted_job.hpp"
#include "core/policy/standing.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace almanac::rules {

namespace {

bool may_claim(const State& state, const Caller& caller, const Reservation& reservation) {
  const auto& cell = state.configuration();
  return admits(cell, reservation, caller) || may_change(cell, caller, reservation.owner);
}

Answer no_such(ReservationNumber number) {
  return Answer::refusal({AnswerCode::no_such_reservation, {{"reservation", number}}});
}
Answer no_right(const Caller& caller, ReservationNumber number) {
  return Answer::refusal({AnswerCode::no_right_to_change_reservation,
                          {{"user", caller.user}, {"reservation", number}}});
}

// qsub says that it could not run a job.
Answer refusal(const CommandBody& body, Statement why) {
  if (!std::holds_alternative<Submit>(body)) return Answer::refusal(std::move(why));
  return Answer::refusal({AnswerCode::unable_to_run_job, {{"why", std::move(why)}}});
}

Statement about(AnswerCode code, ReservationNumber number) {
  return {code, {{"reservation", number}}};
}

Statement unknown_challenge(ReservationNumber number) {
  return {AnswerCode::challenge_is_unknown,
          {{"reservation", number}, {"seconds", challenge_time.seconds}}};
}

// ---- which reservations a command is about ------------------------------------------------------

struct Meant {
  std::vector<ReservationNumber> used;    ///< by jobs
  std::vector<ReservationNumber> changed; ///< or ended
  bool is_settled = false;                ///< what was prepared before
};

class MeantBy {
public:
  explicit MeantBy(const State& state) : state_(state) {}

  Meant operator()(const Submit& c) const { return used(c.request); }
  Meant operator()(const AlterJobs& c) const {
    const auto names = [&](const char* option) {
      return std::find(c.options.begin(), c.options.end(), option) != c.options.end();
    };
    if (names("-ar")) return used(c.request.reservation);
    return names("-q") ? used(c.request) : Meant{};
  }
  Meant operator()(const ResubmitJobs& c) const { return (*this)(c.changes); }
  Meant operator()(const AlterReservation& c) const { return changed(c.number); }
  Meant operator()(const PrepareReservation& c) const { return changed(c.number); }
  Meant operator()(const SettleReservation& c) const {
    auto meant = changed(c.number);
    meant.is_settled = true;
    return meant;
  }
  Meant operator()(const SpendChallenge& c) const { return changed(c.number); }
  // Those that names or owners mean are looked up apart (keyed_by_name, keyed_of_owner).
  Meant operator()(const DeleteReservations& c) const { return removed(c.targets); }
  Meant operator()(const RemoveReservations& c) const { return removed(c.targets); }
  template <class T> Meant operator()(const T&) const { return {}; }

private:
  // Queue R123 is the reservation, too.
  Meant used(const JobRequest& request) const {
    return used(with_named_reservation(state_, request).reservation);
  }
  static Meant used(ReservationNumber number) {
    Meant meant;
    if (number) meant.used.push_back(number);
    return meant;
  }
  static Meant changed(ReservationNumber number) {
    Meant meant;
    if (number) meant.changed.push_back(number);
    return meant;
  }
  static Meant removed(const std::vector<std::string>& targets) {
    Meant meant;
    for (const auto& target : targets)
      if (const auto number = parse_reservation_id(target); number && *number)
        meant.changed.push_back(*number);
    return meant;
  }

  const State& state_;
};

// One with a key that names or patterns mean, or all that the caller has; 0: none.
ReservationNumber keyed_by_name(const State& state, const Caller& caller,
                                const DeleteReservations& command) {
  std::vector<std::string> names;
  for (const auto& target : command.targets)
    if (!parse_reservation_id(target)) names.push_back(target);
  if (names.empty() && !command.targets.empty()) return {};
  for (const auto key : state.occupancy().reservations_of.keys(caller.user)) {
    const auto& own = *state.reservation(key);
    if (!is_keyed(own)) continue;
    if (command.targets.empty()) return own.number;
    for (const auto& name : names)
      if (matches_pattern(name, own.request.name)) return own.number;
  }
  return {};
}

// One of those that the caller gives up as their owner; those of others the caller may not end anyway.
ReservationNumber keyed_of_owner(const State& state, const Caller& caller,
                                 const RemoveReservations& command) {
  const auto& users = command.users;
  if (std::find(users.begin(), users.end(), caller.user) == users.end()) return {};
  for (const auto key : state.occupancy().reservations_of.keys(caller.user))
    if (const auto& own = *state.reservation(key); is_keyed(own)) return own.number;
  return {};
}

// The first one with a key, where the site wants to see it; 0: none.
ReservationNumber needs_key(const State& state, const Command& command, const Caller& user) {
  if (!state.configuration().scheduler().plus.meta_needs_key) return {};
  const auto meant = std::visit(MeantBy(state), command.body);
  const auto keyed = [&](const std::vector<ReservationNumber>& numbers) {
    const auto it = std::find_if(numbers.begin(), numbers.end(),
                                 [&](auto number) { return needs_its_key(state, number); });
    return it == numbers.end() ? ReservationNumber{} : *it;
  };
  if (const auto number = keyed(meant.used)) return number;
  // Operators change what is not theirs anyway; and who prepared a change has shown the key then.
  if (meant.is_settled || is_operator(state.configuration(), command.caller)) return {};
  if (const auto number = keyed(meant.changed)) return number;
  if (const auto* deletion = std::get_if<DeleteReservations>(&command.body))
    return keyed_by_name(state, user, *deletion);
  const auto* removal = std::get_if<RemoveReservations>(&command.body);
  return removal ? keyed_of_owner(state, user, *removal) : ReservationNumber{};
}

// ---- claims -------------------------------------------------------------------------------------

// Whether it was given to this user for this reservation, and counts. It does not any more.
bool spend(State& state, const Caller& caller, const CheckedClaim& claim, Instant now) {
  const auto* challenge = state.records().find<ClaimChallenge>(claim.nonce);
  if (!challenge || challenge->uid != caller.uid) return false;
  const bool counts = challenge->until >= now && challenge->number == claim.number;
  state.erase<ClaimChallenge>(claim.nonce);
  return counts;
}

std::optional<Statement> wrong_with(const State& state, const Command& command,
                                    const CheckedClaim& claim, bool is_known, Instant now) {
  const auto number = claim.number;
  const auto* reservation = state.reservation_by_number(number);
  const bool is_of_key = reservation && reservation->key == claim.incarnation &&
                         has_key(*reservation) && now < claim.not_after;
  if (claim.verdict == ClaimVerdict::bad_key || !is_of_key)
    return about(AnswerCode::key_is_invalid, number);
  if (!is_known) return unknown_challenge(number);
  if (claim.verdict == ClaimVerdict::bad_proof) return about(AnswerCode::proof_is_invalid, number);
  auto meant = std::visit(MeantBy(state), command.body);
  auto& named = meant.used;
  named.insert(named.end(), meant.changed.begin(), meant.changed.end());
  if (named.size() == 1 && named.front() == number) return std::nullopt;
  return about(AnswerCode::key_for_another, number);
}

} // namespace

Answer issue_challenge(State& state, const Caller& caller, const IssueChallenge& command,
                       Instant now) {
  const auto number = command.number;
  const auto* reservation = state.reservation_by_number(number);
  if (!reservation || reservation->is_over()) return no_such(number);
  if (!may_claim(state, caller, *reservation)) return no_right(caller, number);
  if (!has_key(*reservation))
    return Answer::refusal(about(AnswerCode::reservation_has_no_key, number));
  drop_old_challenges(state, now);
  const auto& open = state.records().all<ClaimChallenge>();
  const auto own = static_cast<std::size_t>(std::count_if(
      open.begin(), open.end(), [&](const auto& one) { return one.second->uid == caller.uid; }));
  if (own >= most_challenges_of_user || open.size() >= most_challenges)
    return Answer::refusal({AnswerCode::too_many_challenges,
                            {{"count", own >= most_challenges_of_user ? own : open.size()},
                             {"seconds", challenge_time.seconds}}});
  state.put(ClaimChallenge{command.nonce, number, now + challenge_time, caller.uid});
  Answer answer;
  answer.number = number.value;
  answer.say({AnswerCode::challenge_issued, {{"nonce", command.nonce}, {"reservation", number}}});
  return answer;
}

std::optional<Answer> claim_obstacle(State& state, const Command& command, const Caller& user,
                                     Instant now) {
  if (command.claim.empty()) {
    const auto* trial = std::get_if<SpendChallenge>(&command.body); // of a key that is not shown
    const auto number = trial ? trial->number : needs_key(state, command, user);
    if (!number) return std::nullopt;
    if (trial) return Answer::refusal(unknown_challenge(number));
    return refusal(command.body, about(AnswerCode::key_needed, number));
  }
  const auto& claim = command.claim.front();
  const bool is_known = spend(state, user, claim, now);
  auto why = wrong_with(state, command, claim, is_known, now);
  if (!why) return std::nullopt;
  return refusal(command.body, std::move(*why));
}

Answer key_is_good(const State& state, const Caller& caller, const SpendChallenge& command) {
  const auto number = command.number;
  const auto* reservation = state.reservation_by_number(number);
  if (!reservation || reservation->is_over()) return no_such(number);
  if (!may_claim(state, caller, *reservation)) return no_right(caller, number);
  Answer answer;
  answer.number = number.value;
  answer.say(about(AnswerCode::key_is_good, number));
  return answer;
}

void drop_old_challenges(State& state, Instant now) {
  std::vector<std::string> old;
  for (const auto& [nonce, challenge] : state.records().all<ClaimChallenge>())
    if (challenge->until < now) old.push_back(nonce);
  for (const auto& nonce : old) state.erase<ClaimChallenge>(nonce);
}

} // namespace almanac::rules
