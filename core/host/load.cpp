#include "core/host/load.hpp"

#include <algorithm>

namespace almanac {

namespace {

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
    *value = average(*value);
  if (load.cpu > 0) load.cpu = (load.cpu + tenth / 2) / tenth * tenth;
  load.memory_free = free_part(load.memory_free, memory);
  load.swap_free = free_part(load.swap_free, load.swap_total);
  return load;
}

} // namespace almanac
