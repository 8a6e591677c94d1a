#include "core/execution/task_limits.hpp"

#include "core/base/wide.hpp"

namespace almanac {

namespace {

bool is_of_all(const std::string& kind) { return kind == "cpu" || kind == "vmem" || kind == "rss"; }

// In the unit of the limit.
std::int64_t used(const std::string& kind, const TaskUsage& usage) {
  if (kind == "cpu") return usage.cpu_microseconds / fixed_point::unit;
  return kind == "vmem" ? usage.vmem_bytes : usage.rss_bytes;
}

// The kernel ends a process whose time is used up; bytes may all be used.
bool is_exceeded(const ProcessLimit& limit, std::int64_t most, const TaskUsage& usage) {
  const auto amount = used(limit.kind, usage);
  return most >= 0 && (limit.kind == "cpu" ? amount >= most : amount > most);
}

} // namespace

TaskLimits::TaskLimits(const std::vector<ProcessLimit>& limits) {
  for (const auto& limit : limits)
    if (is_of_all(limit.kind)) limits_.push_back(limit);
}

std::string TaskLimits::exceeded(const TaskUsage& usage) const {
  for (const auto& limit : limits_) {
    if (!is_exceeded(limit, limit.hard, usage)) continue;
    const std::string unit = limit.kind == "cpu" ? " s" : " bytes";
    return "the limit h_" + limit.kind + " of " + std::to_string(limit.hard) + unit +
           " is exceeded: " + std::to_string(used(limit.kind, usage)) + unit;
  }
  return "";
}

bool TaskLimits::take_soft(const TaskUsage& usage) {
  bool any = false;
  for (const auto& limit : limits_)
    if (is_exceeded(limit, limit.soft, usage)) any |= told_.insert(limit.kind).second;
  return any;
}

} // namespace almanac
