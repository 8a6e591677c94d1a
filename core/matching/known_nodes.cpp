#include "core/matching/known_nodes.hpp"

#include "core/host/operating_system.hpp"
#include "core/matching/snapshot.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace almanac {

namespace {

// A host that no task has left since then has been idle at least since then.
std::optional<std::int64_t> idle_seconds(const Snapshot& state, const HostState& host, bool is_busy,
                                         Instant now) {
  if (is_busy) return 0;
  const auto noted_since = state.site_policy().read_at();
  const auto since = host.idle_since != Instant{} ? host.idle_since : noted_since;
  return std::max<std::int64_t>(0, (now - since).seconds);
}

PolicyNode node_of(const Snapshot& state, const std::string& name, std::vector<std::string> queues,
                   Instant now) {
  constexpr std::int64_t millionths_in_hundredth = 10'000;
  const auto& host = state.host(name);
  const auto tasks = static_cast<std::int64_t>(state.tasks_on(name).size());
  PolicyNode node;
  node.name = name, node.is_alive = host.phase == HostPhase::up;
  if (host.load.is_known()) node.load = host.load.load_medium * millionths_in_hundredth;
  node.running_jobs = tasks;
  node.arch = host.facts.arch;
  if (!node.arch.empty()) node.os = operating_system_of(node.arch);
  node.processors = host.facts.processors, node.memory_bytes = host.facts.memory;
  node.idle_seconds = idle_seconds(state, host, tasks > 0, now);
  node.queues = std::move(queues);
  return node;
}

std::vector<std::string> queues_on(const Snapshot& state, std::size_t host_index) {
  std::vector<std::string> queues;
  for (const auto position : state.instance_order().on_host(host_index)) {
    const auto& instance = state.configuration().instances()[position];
    if (!instance.orphaned) queues.push_back(instance.name.queue);
  }
  return queues;
}

KnownNodes make(const Snapshot& state, Instant now) {
  const auto& configuration = state.configuration();
  KnownNodes known;
  known.places.assign(configuration.instance_hosts(), KnownNodes::none);
  std::vector<PolicyNode> nodes;
  nodes.reserve(configuration.hosts().size());
  for (const auto& [name, host] : configuration.hosts()) {
    if (name == whole_cell) continue;
    const auto index = configuration.host_index(name);
    if (index) known.places[*index] = nodes.size();
    auto queues = index ? queues_on(state, *index) : std::vector<std::string>();
    nodes.push_back(node_of(state, name, std::move(queues), now));
  }
  known.all = policy_nodes(nodes);
  return known;
}

} // namespace

const KnownNodes& known_nodes(const Snapshot& state, Instant now) {
  auto& known = state.kept_nodes();
  const auto changes = state.place_changes();
  const auto noted_since = state.site_policy().read_at();
  const bool is_new = known && known->changes == changes.first &&
                      known->task_changes == changes.second && known->at == now &&
                      known->idle_noted_since == noted_since;
  if (is_new) return *known;
  known = make(state, now);
  known->changes = changes.first, known->task_changes = changes.second;
  known->at = now, known->idle_noted_since = noted_since;
  return *known;
}

} // namespace almanac
