#include "agent/shepherd/memory_limit.hpp"

#include <fstream>
#include <unistd.h>

namespace almanac {

namespace {

bool write_to(const std::string& path, const std::string& text) {
  if (::access(path.c_str(), W_OK) != 0) return false; // never a file of our own
  std::ofstream file(path);
  file << text << std::flush;
  return file.good();
}

std::int64_t count_of(const std::string& path, const std::string& wanted) {
  std::ifstream file(path);
  std::string name;
  for (std::int64_t count = 0; file >> name >> count;)
    if (name == wanted) return count;
  return 0;
}

} // namespace

MemoryLimit::MemoryLimit(const std::vector<ProcessLimit>& limits) {
  for (const auto& limit : limits)
    if (limit.kind == "rss") bytes_ = limit.hard;
}

// Without the switch for the whole group the kernel would end one process of the job, and the others
// would go on without it.
void MemoryLimit::begin(const std::string& leaf) {
  if (bytes_ < 0 || leaf.empty()) return;
  write_to(leaf.substr(0, leaf.rfind('/')) + "/cgroup.subtree_control", "+memory");
  if (write_to(leaf + "/memory.oom.group", "1") &&
      write_to(leaf + "/memory.max", std::to_string(bytes_)))
    leaf_ = leaf;
}

// A process may also have been ended since the whole machine had no memory left: that is no limit.
std::string MemoryLimit::exceeded() const {
  const auto events = leaf_ + "/memory.events";
  if (leaf_.empty() || count_of(events, "oom") == 0 || count_of(events, "oom_kill") == 0) return "";
  return "the limit h_rss of " + std::to_string(bytes_) + " bytes is exceeded";
}

void MemoryLimit::end() {
  if (!leaf_.empty()) write_to(leaf_ + "/memory.max", "max");
  leaf_.clear();
}

} // namespace almanac
