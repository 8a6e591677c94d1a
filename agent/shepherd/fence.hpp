// Until when a task may run while its host does not hear the master.
#pragma once

#include "core/execution/shepherd_order.hpp"

#include <cstdint>

namespace almanac {

/// When the fence fires by the stamp as it is now, in milliseconds since boot: the agent renews it
/// as long as the master hears it.
std::int64_t fence_at_ms(const ShepherdOrder& order);
bool has_fence_fired(const ShepherdOrder& order);

} // namespace almanac
