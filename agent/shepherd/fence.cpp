#include "agent/shepherd/fence.hpp"

#include "agent/shepherd/processes.hpp"
#include "core/base/time.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace almanac {

std::int64_t fence_at_ms(const ShepherdOrder& order) {
  // In a folder of somebody who is not root: no link is followed, no pipe waited for.
  const int file =
      ::open(order.lease.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  char text[24]{};
  const auto size = file < 0 ? -1 : ::read(file, text, sizeof text - 1);
  if (file >= 0) ::close(file);
  // Nor is what stands there believed further than to now.
  const auto stamp = std::clamp<std::int64_t>(size > 0 ? std::atoll(text) : 0, 0, boot_clock_ms());
  return stamp + std::clamp<std::int64_t>(order.fence, 0, hundred_years.seconds) * 1000;
}

bool has_fence_fired(const ShepherdOrder& order) {
  return order.fence > 0 && boot_clock_ms() >= fence_at_ms(order);
}

} // namespace almanac
