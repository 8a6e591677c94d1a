// What is asked about starts (start_search.hpp).
#include "core/request/checks.hpp"
#include "core/request/findings.hpp"
#include "core/request/valid.hpp"

namespace almanac {

Outcome valid_new_start(const ReservationRequest& request) {
  Findings findings;
  findings.require(request.has_duration && request.duration.seconds > 0 &&
                       !request.duration.is_endless(),
                   "a reservation whose start is looked for has a duration");
  findings.require(request.end == Instant{} && !request.asap && !request.maintenance,
                   "a reservation whose start is looked for has no end of its own");
  return findings.outcome();
}

Outcome valid(const StartSearch& search) {
  Findings findings;
  check_instant(findings, "earliest start", search.earliest);
  check_instant(findings, "latest start", search.latest);
  check_instant(findings, "end", search.end_by);
  findings.range("days of a week", search.days, 0, 127);
  findings.range("hour", search.from_hour, 0, 23);
  findings.range("hour", search.to_hour, 1, 24);
  findings.require(search.from_hour != search.to_hour, "the hours are none");
  return findings.outcome();
}

// Whoever it is for becomes the caller.
Outcome valid(const OnBehalf& whom) {
  Findings findings;
  const auto& user = whom.user;
  if (user.user.empty()) findings.note(valid_texts({user.group, user.host, user.through}));
  else findings.note(valid(user));
  findings.note(valid_texts({whom.subject}));
  findings.size("characters of a subject", whom.subject.size(), longest_subject);
  return findings.outcome();
}

Outcome valid_whom(const CommandBody& body, const std::vector<OnBehalf>& whom) {
  if (whom.empty()) return Done{};
  if (whom.size() > 1) return Error{"a command is for one user"};
  const bool is_of_reservation = std::holds_alternative<ReserveEarliest>(body) ||
                                 std::holds_alternative<PrepareReservation>(body) ||
                                 std::holds_alternative<SettleReservation>(body) ||
                                 std::holds_alternative<DeleteReservations>(body) ||
                                 std::holds_alternative<RemoveReservations>(body) ||
                                 std::holds_alternative<IssueChallenge>(body) ||
                                 std::holds_alternative<SpendChallenge>(body);
  if (!is_of_reservation) return Error{"only reservations are made and changed for other users"};
  return valid(whom.front());
}

Outcome valid(const StartsQuery& query) {
  Findings findings;
  findings.note(valid(query.request));
  findings.note(valid(query.whom));
  findings.note(valid(query.search));
  findings.note(valid_new_start(query.request));
  findings.require(query.request.start == Instant{}, "a start that is looked for is not given");
  findings.range("ranges", query.max_ranges, 1, most_start_ranges);
  findings.range("the length of a range", query.min_length.seconds, 0, longest_time);
  findings.range("the grain of starts", query.grain.seconds, 1, longest_time);
  return findings.outcome();
}

Outcome valid(const WhenQuery& query) {
  Findings findings;
  findings.note(valid(query.request));
  findings.note(valid(query.whom));
  findings.require(!query.request.tasks.is_array(), "one task is asked about");
  findings.require(query.request.reserve_for == Duration{}, "nothing is reserved by a question");
  return findings.outcome();
}

} // namespace almanac
