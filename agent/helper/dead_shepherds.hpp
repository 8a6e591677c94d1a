// Shepherds that a signal ended: they leave no record of their task, and only their parent knows why.
#pragma once

#include <set>
#include <string>
#include <sys/types.h>

namespace almanac {

class DeadShepherds {
public:
  /// A child was waited for.
  void take(pid_t pid, int status);
  /// Whether it was the one that wrote this progress file. It may have ended a moment ago, and is
  /// waited for then, for a tenth of a second at the most.
  bool has(const std::string& progress);

private:
  std::set<pid_t> killed_;
};

} // namespace almanac
