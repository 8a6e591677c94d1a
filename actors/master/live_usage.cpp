#include "actors/master/live_usage.hpp"

#include "core/job/usage_scaling.hpp"

#include <set>

namespace almanac {

void LiveUsage::take(const std::string& host, const session::TaskUses& said) {
  std::map<Attempt, session::TaskUse> usages;
  for (const auto& task : said.tasks) usages[task.attempt] = task;
  if (usages.empty()) by_host_.erase(host);
  else by_host_[host] = std::move(usages);
}

TaskUsages LiveUsage::of(const std::vector<TaskPtr>& tasks,
                         const Configuration& configuration) const {
  TaskUsages found;
  if (by_host_.empty()) return found;
  for (const auto& task : tasks) {
    if (!task->is_active()) continue;
    std::set<std::string> hosts;
    for (const auto& grant : task->grants) hosts.insert(grant.instance.host);
    for (const auto& host : hosts) {
      const auto* said = find(host, *task);
      if (!said) continue;
      auto& sum = found[task->number];
      sum = sum + scaled(said->usage, configuration.usage_factors(host));
    }
  }
  return found;
}

std::string LiveUsage::binding_of(const Task& task) const {
  if (!task.is_active() || task.grants.empty()) return "";
  const auto* said = find(task.grants.front().instance.host, task);
  return said ? said->binding : "";
}

const session::TaskUse* LiveUsage::find(const std::string& host, const Task& task) const {
  const auto said = by_host_.find(host);
  if (said == by_host_.end()) return nullptr;
  const auto use = said->second.find({task.job, task.number, task.attempt});
  return use == said->second.end() ? nullptr : &use->second;
}

} // namespace almanac
