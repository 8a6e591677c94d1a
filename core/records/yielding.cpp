#include "core/records/yielding.hpp"

#include "core/records/records.hpp"

namespace almanac {

void YieldingTasks::rebuild(const Records& records) {
  tasks_.clear();
  for (const auto& one : Listing<Task>(records.all<Task>())) changed(nullptr, &one);
}

void YieldingTasks::changed(const Task* before, const Task* after) {
  if (before && after && before->gives_way_to == after->gives_way_to) return;
  if (before)
    for (const auto key : before->gives_way_to) tasks_.erase(key, before->id());
  if (after)
    for (const auto key : after->gives_way_to) tasks_.insert(key, after->id());
}

} // namespace almanac
