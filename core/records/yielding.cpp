#include "core/records/yielding.hpp"

#include "core/records/records.hpp"

namespace almanac {

void YieldingTasks::rebuild(const Records& records) {
  tasks_.clear();
  for (const auto& one : Listing<Task>(records.all<Task>())) changed(nullptr, &one);
}

void YieldingTasks::changed(const Task* before, const Task* after) {
  if (before && after && before->gives_way_to == after->gives_way_to) return;
  if (before && before->gives_way_to) {
    const auto it = tasks_.find(before->gives_way_to);
    it->second.erase(before->id());
    if (it->second.empty()) tasks_.erase(it);
  }
  if (after && after->gives_way_to) tasks_[after->gives_way_to].insert(after->id());
}

std::vector<TaskId> YieldingTasks::of(ReservationKey key) const {
  const auto it = tasks_.find(key);
  return it == tasks_.end() ? std::vector<TaskId>()
                            : std::vector<TaskId>(it->second.begin(), it->second.end());
}

} // namespace almanac
