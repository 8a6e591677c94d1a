#include "core/policy/node_order.hpp"

#include "core/text/natural_order.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <numeric>

namespace almanac {

namespace {

constexpr auto last = std::numeric_limits<std::int64_t>::max();

// The lesser comes first.
std::int64_t value_of(NodeSortKey key, const NodeFacts& node) {
  switch (key) {
  case NodeSortKey::lowest_load: return node.load.value_or(last);
  case NodeSortKey::longest_idle: return node.idle_seconds ? -*node.idle_seconds : last;
  case NodeSortKey::largest_memory: return -node.memory_bytes;
  case NodeSortKey::name: return 0;
  }
  return 0;
}

bool comes_before(const SortKeys& keys, const NodeFacts& a, const NodeFacts& b) {
  for (const auto key : keys.nodes) {
    const auto order = key == NodeSortKey::name ? natural_order(a.name, b.name)
                                                : value_of(key, a) <=> value_of(key, b);
    if (order != 0) return order < 0;
  }
  return natural_order(a.name, b.name) < 0;
}

} // namespace

std::vector<std::size_t> node_order(const SortKeys& keys, const std::vector<NodeFacts>& nodes) {
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return comes_before(keys, nodes[a], nodes[b]);
  });
  return order;
}

} // namespace almanac
