#include "agent/sensors.hpp"

#include "agent/processes.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <sys/utsname.h>
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

} // namespace

HostFacts machine_facts() {
  HostFacts facts;
  utsname system{};
  ::uname(&system);
  const std::string machine = system.machine;
  facts.arch = machine == "x86_64"    ? "lx-amd64"
               : machine == "aarch64" ? "lx-arm64"
                                      : "lx-" + machine;
  facts.processors = ::sysconf(_SC_NPROCESSORS_ONLN);
  facts.memory = ::sysconf(_SC_PHYS_PAGES) * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  facts.boot_id = boot_id();
  return facts;
}

session::Load machine_load() {
  double average = 0;
  std::ifstream("/proc/loadavg") >> average;
  auto memory = memory_table();
  return {std::llround(average * 100), memory["MemTotal"] - memory["MemAvailable"],
          memory["SwapTotal"], memory["SwapTotal"] - memory["SwapFree"]};
}

} // namespace almanac
