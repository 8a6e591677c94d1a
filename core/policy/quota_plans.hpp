// What is planned for counters of quota sets, and who has what of them: for those who look into the
// scheduler.
#pragma once

#include "core/policy/quota_rows.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

struct QuotaStep {
  Instant at; ///< from then on
  std::string amount;
};
/// A task that runs, or a hold of a job that waits.
struct QuotaHolder {
  JobNumber job;
  std::int64_t task = 0; ///< 0: of a job that is no array, or of a hold
  std::string amount;
  Window window;
};
struct QuotaPlan {
  std::vector<QuotaStep> steps; ///< the first is now
  std::vector<QuotaHolder> holders;
  std::int64_t more_steps = 0, more_holders = 0; ///< that are left out
};

/// Of each row; at most so many steps and holders of each.
std::vector<QuotaPlan> quota_plans(const Records& records, const QuotaCounters& counters,
                                   const std::vector<QuotaRow>& rows, Instant now,
                                   std::size_t most);

} // namespace almanac
