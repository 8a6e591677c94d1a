#include "core/planning/price/price_answer.hpp"

#include "core/matching/occupants.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

constexpr auto days = Pricing::horizon.seconds / 86400;

Statement found(const Reservation& reservation) {
  if (reservation.shape.pe.empty()) return {AnswerCode::suitable_queues_found, {}};
  return {AnswerCode::assignment_found, {{"slots", reservation.shape.slots()}}};
}

// As -w v says it: what is granted says the same behind its number.
void say_maintenance(Answer& answer, const Reservation& maintenance, const Answer& grant) {
  answer.say({AnswerCode::would_close_hosts,
              {{"count", maintenance.request.hosts.size()},
               {"start", maintenance.shape.window.start},
               {"end", taken_to(maintenance.shape.window.end)}}});
  for (std::size_t i = 1; i < grant.statements.size(); ++i) answer.say(grant.statements[i]);
}

Statement told(const MovedStart& start) {
  const auto number =
      to_string(start.number) + (start.task.task > 0 ? "." + std::to_string(start.task.task) : "");
  if (start.with.is_never())
    return {AnswerCode::price_of_lost_job,
            {{"job", number},
             {"user", start.user},
             {"name", start.name},
             {"days", days},
             {"without", start.without}}};
  return {AnswerCode::price_of_job,
          {{"job", number},
           {"user", start.user},
           {"name", start.name},
           {"with", start.with},
           {"without", start.without}}};
}

} // namespace

Answer answer_of(const Pricing& pricing) {
  const auto price = pricing.price();
  Answer answer;
  const auto& granted = pricing.reservation();
  if (pricing.preview()) answer = *pricing.preview();
  else if (granted.request.maintenance) say_maintenance(answer, granted, pricing.grant());
  else {
    answer.say(found(granted));
    for (const auto& said : pricing.grant().statements)
      if (said.code == AnswerCode::reservation_starts) answer.say(said);
  }
  if (!price.is_complete) answer.say({AnswerCode::price_is_incomplete, {}});
  answer.say({AnswerCode::price_of_starts,
              {{"later", price.later},
               {"sum", price.later_sum.seconds},
               {"most", price.later_most.seconds},
               {"earlier", price.earlier},
               {"earlier_sum", price.earlier_sum.seconds}}});
  if (price.not_started > 0)
    answer.say({AnswerCode::price_not_started, {{"count", price.not_started}, {"days", days}}});
  for (const auto& start : price.most_delayed) answer.say(told(start));
  std::vector<std::string> jobs;
  for (const auto number : price.moved_holds) jobs.push_back(to_string(number));
  if (!jobs.empty()) answer.say({AnswerCode::price_of_holds, {{"jobs", join(jobs, ", ")}}});
  answer.say(
      {AnswerCode::price_of_slots,
       {{"idle", price.idle_before}, {"displaced", price.displaced}, {"charge", price.charge}}});
  return answer;
}

} // namespace almanac
