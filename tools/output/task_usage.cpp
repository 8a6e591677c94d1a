#include "tools/output/task_usage.hpp"

#include "core/text/table.hpp"

#include <cstdio>

namespace almanac {

std::string processor_time(const TaskUsage& usage) {
  const auto seconds = usage.cpu_microseconds / 1'000'000;
  char text[64];
  std::snprintf(text, sizeof text, "%lld:%02lld:%02lld:%02lld",
                static_cast<long long>(seconds / 86'400),
                static_cast<long long>(seconds / 3'600 % 24),
                static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
  return text;
}

std::string gigabyte_seconds(const TaskUsage& usage) {
  return fixed(static_cast<double>(usage.memory_kib_seconds) / (1 << 20), 5);
}
std::string gigabytes_of_io(const TaskUsage& usage) {
  return fixed(static_cast<double>(usage.io_bytes) / (1 << 30), 5);
}

} // namespace almanac
