#include "core/utilization/node_usage.hpp"

#include <algorithm>

namespace almanac {

namespace {

using Windows = std::vector<Window>;

struct Times {
  Windows reserved, used;
};
using ByHost = std::map<std::string, Times>;

// Of all of them together: what several have is counted once.
std::int64_t length_of(Windows windows) {
  std::sort(windows.begin(), windows.end(),
            [](const Window& a, const Window& b) { return a.start < b.start; });
  std::int64_t sum = 0;
  Instant counted;
  for (const auto& window : windows) {
    const auto start = std::max(window.start, counted);
    if (start < window.end) sum += (window.end - start).seconds;
    counted = std::max(counted, window.end);
  }
  return sum;
}

Window clipped(const Window& during, const Window& window) {
  return {std::max(during.start, window.start), std::min(during.end, window.end)};
}

} // namespace

std::map<ReservationId, ReservedNodes> node_usage_of(const std::vector<OccupiedSpan>& reserved,
                                                     const std::vector<OccupiedSpan>& used,
                                                     Window window) {
  std::map<ReservationId, ByHost> times;
  const auto enter = [&](const std::vector<OccupiedSpan>& spans, Windows Times::*list) {
    for (const auto& span : spans)
      if (const auto part = clipped(span.during, window);
          span.reservation.number && part.start < part.end)
        (times[span.reservation][span.instance.host].*list).push_back(part);
  };
  enter(reserved, &Times::reserved), enter(used, &Times::used);
  std::map<ReservationId, ReservedNodes> found;
  for (const auto& [id, hosts] : times) {
    auto& own = found[id];
    Windows all;
    for (const auto& [host, time] : hosts) {
      if (host.empty()) continue; // of a maintenance
      own.nodes.push_back({host, length_of(time.reserved), length_of(time.used)});
      all.insert(all.end(), time.reserved.begin(), time.reserved.end());
    }
    own.reserved_for = length_of(std::move(all));
  }
  return found;
}

} // namespace almanac
