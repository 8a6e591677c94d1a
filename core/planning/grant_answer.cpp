#include "core/planning/grant_answer.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

namespace almanac::rules {

namespace {

// A list is let in as a whole (spec/reservations.md R9.4), and may name somebody whom
// another list keeps out.
std::vector<Statement> kept_out(const Configuration& configuration, const Shape& shape) {
  std::vector<Statement> warnings;
  for (const auto& list : shape.users) {
    const auto set = configuration.usersets().find(list.starts_with('@') ? list.substr(1) : "");
    if (set == configuration.usersets().end()) continue;
    for (const auto& user : set->second.entries)
      for (const auto& grant : shape.grants) {
        const auto* instance = configuration.instance(grant.instance);
        const auto& host = configuration.hosts().at(grant.instance.host);
        if (configuration.allowed(user, "", {}, instance->settings.xuser_lists) &&
            configuration.allowed(user, "", {}, host.xuser_lists))
          continue;
        warnings.push_back({AnswerCode::user_kept_out,
                            {{"user", user}, {"userset", list}, {"queue", grant.instance.text()}}});
        break; // one place for each is enough
      }
  }
  return warnings;
}

} // namespace

Answer granted_answer(const State& state, const Reservation& reservation,
                      const GrantDetails& details) {
  Answer answer;
  answer.number = reservation.number.value;
  answer.say({AnswerCode::reservation_granted, {{"reservation", answer.number}}});
  if (details.was_asap) answer.say(start_of(reservation.shape));
  if (auto warning = little_time_left(state, reservation.shape.window))
    answer.warn(std::move(*warning));
  if (details.on_unhealthy)
    for (auto& bad : health(state, reservation))
      answer.warn({AnswerCode::reservation_unhealthy, {{"why", std::move(bad)}}});
  for (auto& warning : kept_out(state.configuration(), reservation.shape))
    answer.warn(std::move(warning));
  return answer;
}

void leave_out_number(std::vector<Statement>& statements, ReservationNumber number) {
  for (auto& statement : statements) {
    std::erase_if(statement.details, [&](const Detail& detail) {
      return detail.name == "reservation" && detail.number == number.value;
    });
    for (auto& detail : statement.details) leave_out_number(detail.inner, number);
  }
}

} // namespace almanac::rules
