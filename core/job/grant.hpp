// Where a task runs.
#pragma once

#include "core/base/describe.hpp"
#include "core/utilization/instance_name.hpp"

#include <cstdint>

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

} // namespace almanac
