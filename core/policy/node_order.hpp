// In which order nodes are given, by the keys of sched_conf (spec/plus.md P6.4, P6.7 to P6.10).
#pragma once

#include "core/configuration/objects/sort_keys.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct NodeFacts {
  std::string name{};
  std::optional<std::int64_t> load{};         ///< millionths, as journaled; nothing: not known
  std::optional<std::int64_t> idle_seconds{}; ///< since its last task ended; nothing: it is busy
  std::int64_t memory_bytes = 0;
};

/// Places in `nodes`, in the order in which the nodes are given. The first key decides, ties go to the
/// next, and the last ones to the name.
std::vector<std::size_t> node_order(const SortKeys& keys, const std::vector<NodeFacts>& nodes);

} // namespace almanac
