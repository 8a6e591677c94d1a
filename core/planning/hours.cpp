#include "core/planning/rules.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

struct Turn {
  Opening state = Opening::on;
  Instant next = Instant::never();
};

std::map<std::string, Turn> turns_of(const State& state, Instant now) {
  std::map<std::string, Turn> turns;
  const auto& zone = state.closures().zone();
  for (const auto& instance : state.configuration.instances()) {
    const auto& calendar = instance.settings.calendar;
    if (calendar.empty() || turns.contains(calendar)) continue;
    const auto& hours = state.configuration.calendars().at(calendar);
    turns[calendar] = {hours.at(now, zone), hours.next_change(now, zone)};
  }
  return turns;
}

} // namespace

bool keep_hours(State& state, Instant now) {
  if (now < state.next_turn()) return false;
  const auto turns = turns_of(state, now);
  auto next = Instant::never();
  for (const auto& [calendar, turn] : turns) next = std::min(next, turn.next);
  state.set_next_turn(next);
  std::set<std::string> turned;
  for (const auto& instance : state.configuration.instances()) {
    const auto& calendar = instance.settings.calendar;
    const auto wanted = calendar.empty() ? Opening::on : turns.at(calendar).state;
    if (state.instance(instance.name).opening == wanted) continue;
    state.edit_instance(instance.name).opening = wanted;
    turned.insert(instance.host);
  }
  follow_suspension(state, turned);
  return !turned.empty();
}

std::size_t follow_suspension(State& state, const std::set<std::string>& hosts) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changed;
  const auto is_suspended = [&](const Task& task) {
    return task.throttled ||
           std::any_of(task.grants.begin(), task.grants.end(), [&](const Grant& grant) {
             const auto& instance = state.instance(grant.instance);
             return instance.suspended || instance.opening == Opening::suspended;
           });
  };
  std::set<std::pair<std::int64_t, std::int64_t>> tasks;
  for (const auto& host : hosts) tasks.merge(state.tasks_on(host));
  for (const auto& [key, number] : tasks) {
    const auto& task = *state.job(key)->find(number);
    if (task.is_active() && task.suspended != is_suspended(task)) changed.emplace_back(key, number);
  }
  for (const auto& [key, number] : changed) {
    auto& job = state.edit_job(key);
    auto& task = *job.find(number);
    task.suspended = !task.suspended;
    if (task.suspended) mail(state, Occasion::job_suspended, job, task);
  }
  return tasks.size();
}

} // namespace almanac::rules
