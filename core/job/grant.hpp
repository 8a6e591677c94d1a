// Where a task runs.
#pragma once

#include "core/base/describe.hpp"
#include "core/utilization/instance_name.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace almanac {

/// Slots on one queue instance; the first of a list is where the job's script runs.
struct Grant {
  InstanceName instance;
  std::int64_t slots = 0;
  bool operator==(const Grant&) const = default;
};
template <class V> void describe(V& visit, Grant& grant) {
  visit("instance", grant.instance);
  visit("slots", grant.slots);
}

/// On all instances together.
inline std::int64_t slots_of(const std::vector<Grant>& grants) {
  std::int64_t slots = 0;
  for (const auto& grant : grants) slots += grant.slots;
  return slots;
}

inline std::set<std::string> granted_hosts(const std::vector<Grant>& grants) {
  std::set<std::string> hosts;
  for (const auto& grant : grants) hosts.insert(grant.instance.host);
  return hosts;
}

} // namespace almanac
