// What the processes of a task use on a host, measured while they run (spec/cli.md sections 6.4
// and 11): live in qstat, and as part of the record of their end.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/wide.hpp"

#include <algorithm>
#include <cstdint>

namespace almanac {

struct TaskUsage {
  std::int64_t cpu_microseconds = 0; ///< of all its processes, those that have ended included
  /// Virtual memory in KiB times seconds of processor time: what accounting calls mem, there in
  /// GiB.
  std::int64_t memory_kib_seconds = 0;
  std::int64_t io_bytes = 0; ///< read and written, by system calls
  std::int64_t io_wait_microseconds = 0;
  std::int64_t vmem_bytes = 0, rss_bytes = 0; ///< at the moment, all processes together
  std::int64_t maxvmem_bytes = 0;             ///< the highest vmem_bytes so far
  bool operator==(const TaskUsage&) const = default;
};
template <class V> void describe(V& visit, TaskUsage& u) {
  visit("cpu_microseconds", u.cpu_microseconds);
  visit("memory_kib_seconds", u.memory_kib_seconds);
  visit("io_bytes", u.io_bytes);
  visit("io_wait_microseconds", u.io_wait_microseconds);
  visit("vmem_bytes", u.vmem_bytes);
  visit("rss_bytes", u.rss_bytes);
  visit("maxvmem_bytes", u.maxvmem_bytes);
}

/// Of several hosts together. The sum of the maxima is not less than the maximum of the sum.
inline TaskUsage operator+(const TaskUsage& a, const TaskUsage& b) {
  const auto sum = [](std::int64_t x, std::int64_t y) { return clamped(Wide(x) + y); };
  return {sum(a.cpu_microseconds, b.cpu_microseconds),
          sum(a.memory_kib_seconds, b.memory_kib_seconds),
          sum(a.io_bytes, b.io_bytes),
          sum(a.io_wait_microseconds, b.io_wait_microseconds),
          sum(a.vmem_bytes, b.vmem_bytes),
          sum(a.rss_bytes, b.rss_bytes),
          sum(a.maxvmem_bytes, b.maxvmem_bytes)};
}

} // namespace almanac
