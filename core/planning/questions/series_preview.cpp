#include "core/planning/questions/series_preview.hpp"

#include "core/planning/series_plan.hpp"

#include <cstdio>
#include <map>

namespace almanac::rules {

namespace {

std::string by_wall_clock(const TimeZone& zone, Instant at) {
  return print_wall_clock(at.seconds + zone.ahead(at));
}

// "+01:00"
std::string offset_of(const TimeZone& zone, Instant at) {
  const auto ahead = zone.ahead(at);
  const auto minutes = (ahead < 0 ? -ahead : ahead) / 60;
  char text[64];
  std::snprintf(text, sizeof text, "%c%02d:%02d", ahead < 0 ? '-' : '+',
                static_cast<int>(minutes / 60), static_cast<int>(minutes % 60));
  return text;
}

Statement line_of(const PlannedOccurrence& one, const TimeZone& zone) {
  const auto& [start, end] = one.when.window;
  Statement line{one.fits() ? AnswerCode::occurrence_fits : AnswerCode::occurrence_does_not_fit,
                 {{"occurrence", by_wall_clock(zone, start)},
                  {"end", by_wall_clock(zone, end)},
                  {"offset", offset_of(zone, end)}}};
  if (zone.ahead(start) != zone.ahead(end))
    line.details.emplace_back("offset_at_start", offset_of(zone, start));
  if (!one.fits()) {
    line.details.emplace_back("why", one.why);
    return line;
  }
  std::vector<Statement> grants;
  for (const auto& grant : one.shape.grants)
    grants.push_back(
        {AnswerCode::a_grant, {{"queue", grant.instance.text()}, {"slots", grant.slots}}});
  line.details.emplace_back("grants", std::move(grants));
  if (one.when.moved) line.details.emplace_back("moved", "moved");
  return line;
}

} // namespace

Answer series_preview(const State& state, const Caller& caller, const Reserve& command,
                      Instant now) {
  const auto plan = plan_series(state, caller, command, Obstacles::in_full(), now);
  if (!plan) return plan.error();
  const auto zone = zone_of(command.recurrence);
  std::multimap<std::int64_t, Statement> lines;
  for (const auto& one : plan->planned) lines.emplace(one.start(), line_of(one, zone));
  for (const auto skipped : plan->all.skipped) {
    const auto at = skipped.time_since_epoch().count();
    lines.emplace(
        at, Statement{AnswerCode::occurrence_skipped, {{"occurrence", print_wall_clock(at)}}});
  }
  Answer answer;
  for (auto& remark : remarks_on(*plan, command.recurrence)) answer.warn(std::move(remark));
  for (auto& [at, line] : lines) answer.say(std::move(line));
  const auto count = plan->planned.size(), fit = plan->fitting();
  answer.say({AnswerCode::occurrences_counted,
              {{"count", count}, {"fit", fit}, {"conflicts", count - fit}}});
  answer.exit_code = fit == count ? 0 : 1;
  return answer;
}

} // namespace almanac::rules
