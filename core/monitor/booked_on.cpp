#include "core/monitor/booked_on.hpp"

#include "core/base/fingerprint.hpp"

namespace almanac {

bool is_only_booked_on(const WholeJob& before, WholeJob after, Instant now) {
  for (auto& task : after.tasks) {
    const auto* known = before.find(task.number);
    const bool is_late = known && known->is_active() && known->booked.end <= now;
    if (is_late && task.booked.end > now) task.booked.end = known->booked.end;
  }
  return fingerprint(before) == fingerprint(after);
}

} // namespace almanac
