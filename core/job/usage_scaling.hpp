// usage_scaling of a host: what tasks use there counts more or less than elsewhere (host_conf(5),
// spec/objects.md section 2). It is about live usage; accounting has what was measured.
#pragma once

#include "core/base/wide.hpp"
#include "core/job/task_usage.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace almanac {

/// `factors` of cpu, mem and io are millionths; one that is missing is 1. What there is at the moment
/// (vmem, maxvmem) and waiting for io is not scaled.
inline TaskUsage scaled(TaskUsage usage, const std::map<std::string, std::int64_t>& factors) {
  const auto scale = [&](const char* name, std::int64_t& value) {
    if (const auto it = factors.find(name); it != factors.end())
      value = clamped(Wide(value) * it->second / fixed_point::unit);
  };
  scale("cpu", usage.cpu_microseconds);
  scale("mem", usage.memory_kib_seconds);
  scale("io", usage.io_bytes);
  return usage;
}

} // namespace almanac
