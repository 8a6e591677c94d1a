// What a job owes the world at a time: asking twice changes nothing.
#pragma once

#include "core/job/attempt.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"

#include <set>
#include <utility>
#include <vector>

namespace almanac {

struct JobStep {
  bool may_start = false;       ///< its execution time or its hold's start has come: a pass is due
  std::vector<Attempt> overdue; ///< active tasks past their booked end, or to be ended now
  Instant look_again = Instant::never();
};

/// The moments of a job and its tasks that are to come. A look costs what is due.
class JobMoments {
public:
  void changed(const Job& job);
  /// nullptr: it was not, or is not there.
  void changed(const Task* before, const Task* after);

  /// `seen` is when the job was last looked at: what came due since then is due now.
  JobStep step(Instant seen, Instant now) const;

private:
  void enter(const Task& task);
  void take_out(const Task& task);

  Instant execution_time_;
  bool has_fresh_ = false;
  std::vector<Instant> hold_starts_;
  std::int64_t next_ = 0; ///< tasks that have come back and may be placed
  std::set<std::pair<Instant, Attempt>> ends_, rests_;
};

} // namespace almanac
