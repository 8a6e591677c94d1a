#include "actors/line_budget.hpp"

#include <chrono>

namespace almanac {

namespace {

// Not that of the wall, which may go back.
Instant budget_clock() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::seconds>(since).count()};
}

} // namespace

bool LineBudget::take(const std::string& who) {
  const std::lock_guard lock(mutex_);
  return budget_.take(who, budget_clock());
}

void LineBudget::tell_rests(const Tell& tell) {
  const std::lock_guard lock(mutex_);
  for (const auto& rest : budget_.rests(budget_clock())) tell(rest);
}

} // namespace almanac
