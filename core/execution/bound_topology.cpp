#include "core/execution/bound_topology.hpp"

#include "core/text/topology.hpp"

#include <algorithm>

namespace almanac {

std::string topology_of(const std::vector<HostCore>& cores) {
  std::string topology;
  std::int64_t last_socket = -1;
  for (const auto& core : cores) {
    if (core.name.socket != last_socket) topology += 'S';
    last_socket = core.name.socket;
    topology += 'C';
    if (core.processors.size() > 1) topology.append(core.processors.size(), 'T');
    if (topology.size() > longest_topology) return "";
  }
  return topology;
}

std::string topology_in_use(std::string topology, const std::vector<CoreName>& cores) {
  auto sorted = cores;
  std::sort(sorted.begin(), sorted.end());
  CoreName at{-1, -1};
  bool is_used = false;
  for (char& letter : topology) {
    if (letter == 'S') at = {at.socket + 1, -1}, is_used = false;
    else if (letter == 'C') {
      ++at.core;
      is_used = std::binary_search(sorted.begin(), sorted.end(), at);
    }
    if (is_used) letter = static_cast<char>(letter - 'A' + 'a');
  }
  return topology;
}

} // namespace almanac
