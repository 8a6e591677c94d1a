// Requests at a door that only ask the planner something: the questions that they are, and for whom
// something is asked or done.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/accounts.hpp"

#include <concepts>
#include <utility>

namespace almanac {

template <class T, class... Kinds>
concept one_of = (std::same_as<T, Kinds> || ...);

template <class T>
concept asks_whether =
    one_of<T, door::AskSubmit, door::AskReserve, door::AskAlterReservation, door::AskConfigure,
           door::AskWhen, door::AskStarts, door::AskSite, door::AskNodes>;

inline VerifySubmit question_of(const Caller& caller, door::AskSubmit& request) {
  return {caller, std::move(request.command), std::move(request.jobs)};
}
inline VerifyReserve question_of(const Caller& caller, door::AskReserve& request) {
  return {caller, std::move(request.command), request.alternatives};
}
inline VerifyAlterReservation question_of(const Caller& caller,
                                          door::AskAlterReservation& request) {
  return {caller, std::move(request.command)};
}
inline VerifyConfigure question_of(const Caller& caller, door::AskConfigure& request) {
  return {caller, std::move(request.command)};
}
inline AskWhen question_of(const Caller& caller, door::AskWhen& request) {
  return {caller, std::move(request.query)};
}
inline AskStarts question_of(const Caller& caller, door::AskStarts& request) {
  return {caller, std::move(request.query)};
}
inline AskSite question_of(const Caller& caller, door::AskSite& request) {
  return {caller, std::move(request.whom), request.reservation};
}
inline FindNodes question_of(const Caller& caller, door::AskNodes& request) {
  return {caller, std::move(request.request)};
}

// ---- with a price --------------------------------------------------------------------------------

template <class T> bool wants_price(const T&) { return false; }
inline bool wants_price(const door::AskReserve& request) { return request.price; }
inline bool wants_price(const door::AskAlterReservation& request) { return request.price; }
inline bool wants_price(const door::AskWhen&) { return true; } // it takes a forecast, too
inline AskPrice price_of(ValidQuestion question, const CalendarActor& calendar) {
  return {std::move(question), caf::actor_cast<caf::strong_actor_ptr>(calendar)};
}

// ---- for whom ------------------------------------------------------------------------------------

// For whom something is asked or done, where it may be for another user.
inline OnBehalf* whom_of(Command& command) {
  return command.whom.empty() ? nullptr : &command.whom.front();
}
inline OnBehalf* whom_of(door::AskWhen& request) { return &request.query.whom; }
inline OnBehalf* whom_of(door::AskStarts& request) { return &request.query.whom; }
inline OnBehalf* whom_of(door::AskSite& request) { return &request.whom; }
inline OnBehalf* whom_of(door::GetGrant& request) { return &request.whom; }
template <class T> OnBehalf* whom_of(T&) { return nullptr; }

// Whose a reservation will be, as the planner says it (rules::acting_for): whoever names themselves stays
// who they are, whatever uid this machine has for the name.
inline const Caller& owner_in(const Command& command) {
  if (command.whom.empty()) return command.caller;
  const auto& [user, subject] = command.whom.front();
  const bool is_callers =
      user.user.empty() || (subject.empty() && user.user == command.caller.user);
  return is_callers ? command.caller : user;
}

// The client names a user; who that is, this machine says. It may be any text yet, and no name is as
// long as some.
inline void look_up(OnBehalf* whom, UidOf uid_of) {
  constexpr std::size_t longest_name = 256;
  if (!whom || whom->user.user.empty()) return;
  Caller user;
  user.user = whom->user.user;
  if (uid_of && user.user.size() <= longest_name) user.uid = uid_of(user.user).value_or(nobody);
  whom->user = std::move(user);
}

} // namespace almanac
