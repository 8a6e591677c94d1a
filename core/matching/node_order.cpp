#include "core/matching/node_order.hpp"

#include "core/policy/node_order.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace almanac {

namespace {

std::int64_t lowest_seq_no(const Node& node) {
  auto lowest = node.instances.front()->settings.seq_no;
  for (const auto* instance : node.instances) lowest = std::min(lowest, instance->settings.seq_no);
  return lowest;
}

bool comes_before(const Node& a, const Node& b) {
  const auto of_a = lowest_seq_no(a), of_b = lowest_seq_no(b);
  return std::tie(of_a, a.host()) < std::tie(of_b, b.host());
}

// How long it has been idle, less what is the same for all: so no clock is needed.
std::optional<std::int64_t> idle_seconds(const Snapshot& state, const Node& node) {
  if (!state.tasks_on(node.host()).empty()) return std::nullopt;
  return std::numeric_limits<std::int64_t>::max() - state.host(node.host()).idle_since.seconds;
}

NodeFacts facts_of(const Snapshot& state, const Node& node) {
  constexpr std::int64_t millionths_in_hundredth = 10'000;
  const auto& host = state.host(node.host());
  NodeFacts facts{node.host()};
  if (host.load.is_known()) facts.load = host.load.load_medium * millionths_in_hundredth;
  facts.idle_seconds = idle_seconds(state, node);
  facts.memory_bytes = host.facts.memory;
  return facts;
}

void order_by_keys(const Snapshot& state, std::vector<Node>& nodes) {
  std::vector<NodeFacts> facts;
  for (const auto& node : nodes) facts.push_back(facts_of(state, node));
  std::vector<Node> ordered;
  for (const auto place : node_order(state.occupancy().site.sort_keys(), facts))
    ordered.push_back(std::move(nodes[place]));
  nodes = std::move(ordered);
}

} // namespace

void order_nodes(const Snapshot& state, std::vector<Node>& nodes) {
  if (state.configuration().scheduler().plus.sorts) return order_by_keys(state, nodes);
  // Mostly they are: the configuration lists its instances like that.
  if (!std::is_sorted(nodes.begin(), nodes.end(), comes_before))
    std::stable_sort(nodes.begin(), nodes.end(), comes_before);
}

} // namespace almanac
