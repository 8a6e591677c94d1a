#include "core/planning/reserved_usage.hpp"

#include "core/base/wide.hpp"
#include "core/execution/process_limits.hpp"

#include <algorithm>
#include <optional>

namespace almanac::rules {

namespace {

// In bytes, for all slots of the grant; nothing where there is no limit.
std::optional<std::int64_t> memory_of(const Configuration& configuration, const Job& job,
                                      const Grant& grant) {
  const auto* instance = configuration.instance(grant.instance);
  if (!instance) return std::nullopt;
  std::optional<std::int64_t> least;
  for (const auto& limit : process_limits(configuration.complexes(), job.request->resources,
                                          instance->settings.process_limits, grant.slots))
    for (const auto bytes : {limit.soft, limit.hard})
      if (limit.kind == "vmem" && bytes >= 0) least = std::min(least.value_or(bytes), bytes);
  return least;
}

} // namespace

void account_reserved(const Configuration& configuration, const Job& job, const Task& task,
                      AccountingRecord& record) {
  if (!configuration.on(record.host).accounts_reserved_usage) return;
  const Wide seconds = record.record.wallclock;
  record.cpu_microseconds = clamped(seconds * record.slots * fixed_point::unit);
  Wide bytes = 0;
  for (const auto& grant : task.grants) {
    const auto limit = memory_of(configuration, job, grant);
    if (!limit) return;
    bytes += *limit;
  }
  record.record.maxvmem_bytes = clamped(bytes);
  record.record.memory_kib_seconds = clamped(bytes / 1024 * seconds);
}

} // namespace almanac::rules
