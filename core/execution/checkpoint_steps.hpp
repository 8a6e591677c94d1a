// From the plan of a job's checkpoints to what the shepherd of its task is told.
#pragma once

#include "core/execution/checkpoint_plan.hpp"
#include "core/execution/environment.hpp"
#include "core/execution/shepherd_order.hpp"

#include <string>
#include <vector>

namespace almanac {

struct CheckpointSite {
  const CheckpointPlan& plan;
  const std::string& folder; ///< for what is saved: ckpt_dir
  std::string directory;     ///< in which commands run
};

CheckpointSteps checkpoint_steps(const CheckpointSite& site, const Job& job, const Task& task,
                                 const TaskSite& place);

/// What runs in place of a job that was saved, as a process with no shell or starter around it: it brings
/// back the process as it was. Empty: the job itself runs.
std::vector<std::string> restart_words(const CheckpointSite& site, const Job& job, const Task& task,
                                       const TaskSite& place);

} // namespace almanac
