// Never twice: when a task of a host that can't be heard may run elsewhere (design.md section 5).
//
//   agent      asks for a renewal of its lease and, once it is granted, stamps the time of asking
//   shepherd   begins no task when that stamp is `fence` old, and ends its task then, whether the
//              agent is alive or not
//   master     counts from the last renewal that it granted: asking was earlier, so the stamp is
//              older. It starts the task again `fence` and two margins later: nothing runs then.
#pragma once

#include "core/base/time.hpp"

namespace almanac {

/// What clocks may differ by, and what it may take to end a process.
inline constexpr Duration fence_margin{5};

/// For tasks that start while reschedule_unknown has this value; 0: no fence.
constexpr Duration fence_for(Duration reschedule_unknown) {
  return reschedule_unknown.seconds == 0 ? Duration{} : reschedule_unknown - fence_margin;
}
/// Whether the fence has surely fired, so long after the last renewal that was granted.
constexpr bool has_surely_fired(Duration fence, Duration silent) {
  return fence.seconds > 0 && silent >= fence + fence_margin + fence_margin;
}

} // namespace almanac
