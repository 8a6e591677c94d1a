#include "core/monitor/booked_on.hpp"

#include "core/base/fingerprint.hpp"

namespace almanac {

bool is_only_booked_on(const Task& before, Task after, Instant now) {
  const bool is_late = before.is_active() && before.booked.end <= now;
  if (is_late && after.booked.end > now) after.booked.end = before.booked.end;
  return fingerprint(before) == fingerprint(after);
}

} // namespace almanac
