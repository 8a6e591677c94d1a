#include "core/planning/facts/hours.hpp"

#include "core/planning/facts/drains.hpp"
#include "core/planning/suspension.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac::rules {

namespace {

struct Turn {
  Opening state = Opening::on;
  Instant next = Instant::never();
};

std::map<std::string, Turn> turns_of(const State& state, Instant now) {
  std::map<std::string, Turn> turns;
  const auto& zone = state.closures().zone();
  for (const auto& instance : state.configuration().instances()) {
    const auto& calendar = instance.settings.calendar;
    if (calendar.empty() || turns.contains(calendar)) continue;
    const auto& hours = state.configuration().calendars().at(calendar);
    turns[calendar] = {hours.at(now, zone), hours.next_change(now, zone)};
  }
  return turns;
}

} // namespace

bool keep_hours(State& state, Instant now) {
  if (now < state.next_turn()) return false;
  const auto turns = turns_of(state, now);
  auto turned = end_drains(state, now);
  auto next = next_drain_end(state);
  for (const auto& [calendar, turn] : turns) next = std::min(next, turn.next);
  state.set_next_turn(next);
  for (const auto& instance : state.configuration().instances()) {
    const auto& calendar = instance.settings.calendar;
    const auto wanted = calendar.empty() ? Opening::on : turns.at(calendar).state;
    if (state.instance(instance.name).opening == wanted) continue;
    state.edit<InstanceState>(instance.name,
                              [&](InstanceState& condition) { condition.opening = wanted; });
    turned.insert(instance.name.host);
  }
  follow_suspension(state, turned);
  return !turned.empty();
}

} // namespace almanac::rules
