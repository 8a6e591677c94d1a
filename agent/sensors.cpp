#include "agent/sensors.hpp"

#include "actors/process/architecture.hpp"
#include "agent/shepherd/bound_cores.hpp"
#include "agent/shepherd/processes.hpp"
#include "core/execution/bound_topology.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <unistd.h>

namespace almanac {

namespace {

std::map<std::string, std::int64_t> memory_table() {
  std::map<std::string, std::int64_t> table;
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    std::int64_t kib = 0;
    file >> kib;
    std::getline(file, unit);
    table[name.substr(0, name.size() - 1)] = kib * 1024;
  }
  return table;
}

// Hundredths of a percent since the last call; -1 on the first.
std::int64_t processor_use() {
  static std::int64_t last_busy = 0, last_all = 0;
  std::ifstream file("/proc/stat");
  std::string name;
  file >> name;
  std::int64_t busy = 0, all = 0;
  for (int column = 0; column < 8; ++column) {
    std::int64_t ticks = 0;
    file >> ticks;
    all += ticks;
    if (column != 3 && column != 4) busy += ticks; // neither idle nor waiting for a disk
  }
  const auto passed = all - last_all, worked = busy - last_busy;
  const bool first = last_all == 0;
  last_busy = busy, last_all = all;
  // The kernel's count of waiting for disks may go back, and with it the sum.
  return first || passed <= 0 ? -1 : std::clamp<std::int64_t>(worked * 10'000 / passed, 0, 10'000);
}

} // namespace

HostFacts machine_facts() {
  HostFacts facts;
  facts.arch = architecture();
  facts.processors = std::max(0L, ::sysconf(_SC_NPROCESSORS_ONLN));
  facts.memory = ::sysconf(_SC_PHYS_PAGES) * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  facts.boot_id = boot_id();
  return facts;
}

std::string machine_topology() { return topology_of(cores_of_machine()); }

HostLoad machine_load() {
  double averages[3]{};
  std::ifstream file("/proc/loadavg");
  for (auto& average : averages) file >> average;
  auto memory = memory_table();
  return {std::llround(averages[0] * 100),
          std::llround(averages[1] * 100),
          std::llround(averages[2] * 100),
          processor_use(),
          memory["MemAvailable"],
          memory["SwapTotal"],
          memory["SwapFree"]};
}

} // namespace almanac
