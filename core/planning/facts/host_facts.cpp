#include "core/planning/facts/host_facts.hpp"

#include "core/text/topology.hpp"
#include "core/job/inside.hpp"
#include "core/planning/facts/cell_values.hpp"
#include "core/planning/initial_states.hpp"
#include "core/planning/preemption.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>
#include <set>

// What hosts say of themselves, and that they are not heard.

namespace almanac::rules {

namespace {

// A host may say anything of itself: what no machine has is cut, so that sums do not overflow.
HostFacts believed(HostFacts facts) {
  constexpr std::int64_t most_processors = 1'000'000, most_memory = 1LL << 50;
  constexpr std::size_t longest_text = 255;
  facts.processors = std::clamp<std::int64_t>(facts.processors, 0, most_processors);
  facts.memory = std::clamp<std::int64_t>(facts.memory, 0, most_memory);
  for (auto* text : {&facts.arch, &facts.boot_id, &facts.spool_id, &facts.address})
    *text = text->substr(0, longest_text);
  if (!is_topology(facts.topology)) facts.topology.clear();
  return facts;
}

// What is held on other hosts is still there.
void unsettle_on(State& state, const std::string& host) {
  const auto is_there = [&](const Grant& grant) { return grant.instance.host == host; };
  std::set<JobKey> keys;
  for (const auto& [rank, key] : state.waiting().holders())
    for (const auto& hold : state.job(key)->holds)
      if (std::any_of(hold.grants.begin(), hold.grants.end(), is_there)) keys.insert(key);
  state.waiting().unsettle({AnswerCode::host_cannot_be_reached, {{"host", host}}}, keys);
}

// Facts without a key come from journals of earlier versions.
std::optional<Answer> lay_claim(State& state, const HostRegistered& fact, Instant now) {
  if (fact.claim.key.empty()) return std::nullopt;
  auto next = state.host_key(fact.host);
  const auto admission =
      admit(next, state.host(fact.host), fact.claim, fact.facts, fact.rival, now);
  const auto before = next;
  if (!admission.alarm.empty()) raise_alarm(next, admission.alarm, now);
  if (admission.refusal.empty()) take_over(next, fact.claim, now);
  if (next != before) {
    next.host = fact.host;
    state.put(next);
  }
  if (admission.refusal.empty()) return std::nullopt;
  return Answer::refusal(
      {AnswerCode::agent_not_let_in, {{"host", fact.host}, {"why", admission.refusal}}});
}

} // namespace

std::optional<Answer> host_registered(State& state, const HostRegistered& fact, Instant now) {
  const bool is_known = state.configuration().hosts().contains(fact.host);
  if (is_known)
    if (auto refusal = lay_claim(state, fact, now)) return refusal;
  state.skip_keys(fact.highest_key);
  if (!is_known) return std::nullopt;
  if (state.host(fact.host).phase == HostPhase::unknown) begin_instances_on(state, fact.host);
  state.edit<HostState>(fact.host, [&](HostState& host) {
    host.phase = HostPhase::up;
    host.facts = believed(fact.facts);
  });
  refresh_reservation_health(state, fact.host);
  return std::nullopt;
}

void host_silent(State& state, const HostSilent& fact, Instant now) {
  const auto phase = fact.unknown ? HostPhase::unknown : HostPhase::suspect;
  const auto known = state.host(fact.host).phase;
  if (known == phase || (known == HostPhase::unknown && !fact.unknown)) return;
  state.edit<HostState>(fact.host, [&](HostState& host) {
    host.phase = phase;
    if (fact.unknown) host.load = {};
  });
  if (fact.unknown) follow_cell_values(state, fact.host, {});
  refresh_reservation_health(state, fact.host);
  unsettle_on(state, fact.host);
  if (!fact.unknown) return;
  // A reservation that has ended waits for nobody who can't be reached.
  std::vector<TaskId> written_off;
  std::set<ReservationKey> inside;
  for (const auto& id : state.tasks_on(fact.host)) {
    const auto& task = *state.task(id);
    if (is_written_off(state, task, now)) written_off.push_back(id);
    inside.insert(reservation_of(*state.job(id.job), task));
  }
  for (const auto& id : written_off) write_off(state, id, now);
  for (const auto key : inside) let_go(state, key);
  await_none_on(state, fact.host);
}

void load_changed(State& state, const LoadChanged& fact) {
  if (!state.configuration().hosts().contains(fact.host)) return;
  auto load = fact.load;
  // Whoever has no sensors has none that could say something.
  if (state.configuration().on(fact.host).load_sensors.empty()) load.values.clear();
  follow_cell_values(state, fact.host, load.values);
  if (state.host(fact.host).load != load)
    state.edit<HostState>(fact.host, [&](HostState& host) { host.load = std::move(load); });
}

} // namespace almanac::rules
