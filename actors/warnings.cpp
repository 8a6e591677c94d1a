#include "actors/warnings.hpp"

#include "core/admission/refusal_budget.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <mutex>

namespace almanac {

namespace {

struct Warnings {
  std::mutex mutex;
  RefusalBudget budget{{}};
};

Warnings& warnings() {
  static Warnings all;
  return all;
}

// Not that of the wall, which may go back.
Instant warning_clock() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::seconds>(since).count()};
}

void tell_left_out(RefusalBudget& budget) {
  for (const auto& rest : budget.rests(warning_clock()))
    spdlog::warn("{} more warnings of {} within a minute are left out", rest.count, rest.who);
}

} // namespace

bool warn_of(const std::string& who, std::string_view line) {
  auto& [mutex, budget] = warnings();
  const std::lock_guard lock(mutex);
  tell_left_out(budget);
  if (!budget.take(who, warning_clock())) return false;
  spdlog::warn("{}", line);
  return true;
}

void tell_left_out_warnings() {
  auto& [mutex, budget] = warnings();
  const std::lock_guard lock(mutex);
  tell_left_out(budget);
}

} // namespace almanac
