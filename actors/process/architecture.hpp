// What Grid Engine calls this kind of machine: the value of ARC.
#pragma once

#include <string>
#include <sys/utsname.h>

namespace almanac {

inline std::string architecture() {
  utsname system{};
  ::uname(&system);
  const std::string machine = system.machine;
  return machine == "x86_64" ? "lx-amd64" : machine == "aarch64" ? "lx-arm64" : "lx-" + machine;
}

} // namespace almanac
