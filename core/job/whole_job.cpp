#include "core/job/whole_job.hpp"

#include <algorithm>

namespace almanac {

const Task* WholeJob::find(std::int64_t task) const {
  const auto it =
      std::find_if(tasks.begin(), tasks.end(), [&](auto& t) { return t.number == task; });
  return it == tasks.end() ? nullptr : &*it;
}

std::int64_t WholeJob::active_tasks() const {
  return std::count_if(tasks.begin(), tasks.end(), [](auto& t) { return t.is_active(); });
}

std::int64_t WholeJob::waiting_tasks() const {
  return fresh_tasks() + std::count_if(tasks.begin(), tasks.end(),
                                       [](auto& t) { return t.state == TaskState::pending; });
}

} // namespace almanac
