// What hosts have said last of the tasks that run on them. Nobody decides upon it: it is never
// stored, and a host that says nothing more is believed as it was.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/job/task.hpp"
#include "core/job/task_usage.hpp"
#include "core/records/effect.hpp"
#include "schema/session_messages.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

/// By the number of a job's task; only of those of which something is known.
using TaskUsages = std::map<std::int64_t, TaskUsage>;

class LiveUsage {
public:
  /// All that run on the host, instead of what it said before.
  void take(const std::string& host, const session::TaskUses& said);
  /// Of tasks of one job: the sum of what their hosts say of this attempt, with their factors
  /// (usage_scaling).
  TaskUsages of(const std::vector<TaskPtr>& tasks, const Configuration& configuration) const;
  /// The cores of the task on its first host, as that says it; "": it is bound to none.
  std::string binding_of(const Task& task) const;

private:
  const session::TaskUse* find(const std::string& host, const Task& task) const;

  std::map<std::string, std::map<Attempt, session::TaskUse>> by_host_; ///< none of them is empty
};

} // namespace almanac
