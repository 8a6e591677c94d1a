// In which order hosts are taken for a reservation by hosts (spec/plus.md P3.27).
#pragma once

#include "core/matching/snapshot.hpp"

#include <string>
#include <vector>

namespace almanac {

/// A host with those of its queue instances that may be reserved: at least one.
struct Node {
  std::size_t host_index = 0;
  Instances instances;

  const std::string& host() const { return instances.front()->name.host; }
};

/// By the lowest seq_no of these instances, then by name; with SORT_MODE=plus by the keys of sched_conf
/// (spec/plus.md section 6).
void order_nodes(const Snapshot& state, std::vector<Node>& nodes);

} // namespace almanac
