// The settings of master and agent: files that an administrator writes.
#include "agent/helper/settings.hpp"
#include "master/settings.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <fstream>

#include <unistd.h>

using namespace almanac;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/dev/shm/almanac-fuzz-settings." + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << as_text(data, size);
  const auto agent = read_agent_settings(path);
  check(!agent || (!agent->host.empty() && !agent->master.empty()), "an agent has host and master");
  check(!agent || agent->min_uid >= 0, "no uid is negative");
  const auto master = read_master_settings(path);
  check(!master || master->inputs_kept >= 0, "a number is not negative");
  ::unlink(path.c_str());
  return 0;
}
