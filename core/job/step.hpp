// What a job owes the world at a time: pure, and asking twice changes nothing.
#pragma once

#include "core/job/attempt.hpp"
#include "core/job/whole_job.hpp"

namespace almanac {

struct JobStep {
  bool may_start = false;       ///< its execution time or its hold's start has come: a pass is due
  std::vector<Attempt> overdue; ///< active tasks past their booked end
  Instant look_again = Instant::never();
};

/// `seen` is when the job was last looked at: what came due since then is due now.
JobStep step(const WholeJob& job, Instant seen, Instant now);

} // namespace almanac
