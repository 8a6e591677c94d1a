#include "core/matching/node_order.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

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

} // namespace

void order_nodes(const Snapshot&, std::vector<Node>& nodes) {
  // Mostly they are: the configuration lists its instances like that.
  if (!std::is_sorted(nodes.begin(), nodes.end(), comes_before))
    std::stable_sort(nodes.begin(), nodes.end(), comes_before);
}

} // namespace almanac
