#include "core/job/job_request.hpp"

#include "core/text/values.hpp"

#include <algorithm>
#include <optional>

namespace almanac {

namespace {

std::optional<Duration> time_request(const JobRequest& request, const char* name) {
  for (const auto& resource : request.resources)
    if (resource.name == name)
      if (auto value = parse_duration(resource.value)) return *value;
  return std::nullopt;
}

} // namespace

Duration asked_length(const JobRequest& request) {
  const auto hard = time_request(request, "h_rt"), soft = time_request(request, "s_rt");
  if (hard && soft) return std::max(*hard, *soft);
  return hard ? *hard : soft.value_or(Duration::endless());
}

Duration asked_limit(const JobRequest& request) {
  return time_request(request, "h_rt").value_or(Duration::endless());
}

Duration asked_soft_limit(const JobRequest& request) {
  return time_request(request, "s_rt").value_or(Duration::endless());
}

Duration sure_length(const JobRequest& request) {
  return asked_limit(request).is_endless() ? Duration::endless() : asked_length(request);
}

std::int64_t least_slots(const JobRequest& request) {
  return request.slots.empty() ? 1 : lowest(request.slots);
}

} // namespace almanac
