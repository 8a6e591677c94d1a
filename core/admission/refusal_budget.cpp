#include "core/admission/refusal_budget.hpp"

#include <algorithm>

namespace almanac {

bool RefusalBudget::take(const std::string& who, Instant now) {
  return ++period_of(who, now).count <= limits_.lines;
}

// A period that is over stays until its rest was told: it is told before the next one begins.
RefusalBudget::Period& RefusalBudget::period_of(const std::string& who, Instant now) {
  const auto known = of_.find(who);
  if (known != of_.end()) return known->second;
  const bool has_room = of_.size() < limits_.takers;
  return of_.try_emplace(has_room ? who : others, Period{now, 0}).first->second;
}

std::vector<RefusalBudget::Rest> RefusalBudget::rests(Instant now) {
  std::vector<Rest> result;
  for (const auto& [who, period] : of_)
    if (now >= period.since + limits_.period && period.count > limits_.lines)
      result.push_back({who, period.count - limits_.lines});
  std::erase_if(of_, [&](const auto& entry) { return now >= entry.second.since + limits_.period; });
  return result;
}

} // namespace almanac
