#include "core/host/load.hpp"

#include <algorithm>

namespace almanac {

namespace {

// What no machine has is not known: a host may say anything, and sums of it must not overflow.
std::int64_t believed(std::int64_t value, std::int64_t most) {
  return value < 0 || value > most ? -1 : value;
}
constexpr std::int64_t most_load = 100'000'000, most_cpu = 1'000'000, most_bytes = 1LL << 50;

std::int64_t average(std::int64_t value) {
  if (value < 0) return value;
  const auto step = std::max<std::int64_t>(10, value / 10);
  return (value + step / 2) / step * step;
}

std::int64_t free_part(std::int64_t value, std::int64_t total) {
  const auto step = total / 64;
  return value <= 0 || step <= 0 ? value : value / step * step;
}

} // namespace

HostLoad quantised(const HostLoad& measured, std::int64_t memory) {
  constexpr std::int64_t tenth = 1000;
  auto load = measured;
  for (auto* value : {&load.load_short, &load.load_medium, &load.load_long})
    *value = average(believed(*value, most_load));
  for (auto* value : {&load.memory_free, &load.swap_total, &load.swap_free})
    *value = believed(*value, most_bytes);
  load.cpu = believed(load.cpu, most_cpu);
  if (load.cpu > 0) load.cpu = (load.cpu + tenth / 2) / tenth * tenth;
  load.memory_free = free_part(load.memory_free, memory);
  load.swap_free = free_part(load.swap_free, load.swap_total);
  for (auto& said : load.values) said.value = quantised_value(said.value);
  load.topology_in_use.clear();
  return load;
}

} // namespace almanac
