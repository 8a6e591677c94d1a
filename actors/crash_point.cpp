#include "actors/crash_point.hpp"

#include <csignal>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace almanac {

namespace {

struct CrashPlan {
  std::string name;
  int left = 0;
  bool own_fault = false;
};

CrashPlan read_plan() {
  const char* text = std::getenv("ALMANAC_CRASH_AT");
  if (!text) return {};
  const std::string plan = text;
  const auto colon = plan.find(':');
  return {plan.substr(0, colon),
          colon == std::string::npos ? 1 : std::atoi(plan.c_str() + colon + 1),
          plan.ends_with(":abort")};
}

} // namespace

void crash_point(const char* name) {
  static CrashPlan plan = read_plan();
  if (plan.left <= 0 || plan.name != name) return;
  if (__atomic_sub_fetch(&plan.left, 1, __ATOMIC_RELAXED) != 0) return;
  plan.own_fault ? std::abort() : static_cast<void>(::kill(::getpid(), SIGKILL));
}

} // namespace almanac
