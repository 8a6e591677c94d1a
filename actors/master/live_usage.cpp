#include "actors/master/live_usage.hpp"

#include <set>

namespace almanac {

void LiveUsage::take(const std::string& host, const session::TaskUses& said) {
  std::map<Attempt, TaskUsage> usages;
  for (const auto& task : said.tasks) usages[task.attempt] = task.usage;
  if (usages.empty()) by_host_.erase(host);
  else by_host_[host] = std::move(usages);
}

TaskUsages LiveUsage::of(const std::vector<TaskPtr>& tasks) const {
  TaskUsages found;
  if (by_host_.empty()) return found;
  for (const auto& task : tasks) {
    if (!task->is_active()) continue;
    std::set<std::string> hosts;
    for (const auto& grant : task->grants) hosts.insert(grant.instance.host);
    for (const auto& host : hosts) {
      const auto said = by_host_.find(host);
      if (said == by_host_.end()) continue;
      const auto usage = said->second.find({task->job, task->number, task->attempt});
      if (usage == said->second.end()) continue;
      auto& sum = found[task->number];
      sum = sum + usage->second;
    }
  }
  return found;
}

} // namespace almanac
