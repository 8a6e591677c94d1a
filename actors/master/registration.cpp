#include "actors/master/registration.hpp"

#include "core/answer/gridengine.hpp"
#include "core/planning/questions/host_tasks.hpp"

#include <algorithm>

namespace almanac {

HostRegistered registration_of(const RegisterHost& news) {
  std::int64_t highest_key = 0;
  for (const auto& attempt : news.tasks) highest_key = std::max(highest_key, attempt.job.value);
  return {news.host, news.facts, highest_key, news.claim, news.rival};
}

HostTasks known_tasks(const RegisterHost& news, const State& state, const Decisions& decisions,
                      Instant alarm_before) {
  HostTasks known;
  known.wanted = tasks_wanted_on(state, news.host);
  for (const auto& attempt : news.tasks)
    if (is_over(state, attempt)) known.over.push_back(attempt);
  if (decisions.answer) known.refusal = gridengine::first_line_of(*decisions.answer);
  const auto& key = state.host_key(news.host);
  if (key.alarm_at != alarm_before) known.alarm = key.alarm;
  return known;
}

FoundHost found_host(const GetHost& query, caf::strong_actor_ptr host, const HostKey& known,
                     Instant now) {
  if (!host) return {nullptr, "host " + query.name + " is not an exec host of this cell"};
  if (auto why = key_obstacle(known, query.claim, now))
    return {nullptr, "the agent of host " + query.name + " is not let in: " + *why};
  return {std::move(host), {}};
}

} // namespace almanac
