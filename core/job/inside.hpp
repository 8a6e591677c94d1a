// Which reservation a task has to do with.
#pragma once

#include "core/job/job.hpp"
#include "core/job/task.hpp"

namespace almanac {

/// The one that the task runs in: that which attracted it (spec/beyond.md section 7), or that of its
/// job. Of one that waits, that of its job. 0: none.
inline ReservationKey reservation_of(const Job& job, const Task& task) {
  return task.attracted_by ? task.attracted_by : job.reservation_key;
}

} // namespace almanac
