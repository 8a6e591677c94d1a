// What a host reports of its load (spec/objects.md section 2).
#pragma once

#include "core/base/describe.hpp"
#include "core/host/load_value.hpp"

#include <cstdint>
#include <vector>

namespace almanac {

/// -1: not known.
struct HostLoad {
  std::int64_t load_short = -1, load_medium = -1, load_long = -1; ///< 1, 5, 15 minutes; hundredths
  std::int64_t cpu = -1;                                          ///< hundredths of a percent
  std::int64_t memory_free = -1, swap_total = -1, swap_free = -1; ///< bytes
  std::vector<LoadValue> values = {};                             ///< of load sensors
  /// core/text/topology.hpp, where a task is bound to cores; "": none is.
  std::string topology_in_use = {};

  bool is_known() const { return load_medium >= 0; }
  bool operator==(const HostLoad&) const = default;
};
template <class V> void describe(V& visit, HostLoad& load) {
  visit("load_short", load.load_short);
  visit("load_medium", load.load_medium);
  visit("load_long", load.load_long);
  visit("cpu", load.cpu);
  visit("memory_free", load.memory_free);
  visit("swap_total", load.swap_total);
  visit("swap_free", load.swap_free);
  visit("values", load.values);
  visit("topology_in_use", load.topology_in_use);
}

/// The same in steps: what changes by less decides nothing and is not worth an input. Averages in
/// tenths up to one and in tenths of the value above, the processors' use in tenths, what is free
/// in 64th parts of all there is, rounded down; of what sensors say four digits. Cores in
/// use are left out: binding says nothing about where a job runs. `memory` is the machine's, in bytes.
HostLoad quantised(const HostLoad& measured, std::int64_t memory);

} // namespace almanac
