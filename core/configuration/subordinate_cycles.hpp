// Queues that are subordinate to each other would suspend one another for ever.
#pragma once

#include "core/configuration/configuration.hpp"

#include <vector>

namespace almanac {

/// The first queue that is, on some host, subordinate to itself, also by way of others; the error names
/// them all. The order of the instances does not matter.
Outcome check_subordinate_cycles(const std::vector<QueueInstance>& instances);

} // namespace almanac
