#include "core/execution/checkpoint_steps.hpp"

#include "core/execution/step_command.hpp"

namespace almanac {

namespace {

StepValues values_of(const CheckpointSite& site) {
  const auto signal = site.plan.signal;
  return {{"ckpt_dir", site.folder}, {"ckpt_signal", signal > 0 ? std::to_string(signal) : "NONE"}};
}

} // namespace

CheckpointSteps checkpoint_steps(const CheckpointSite& site, const Job& job, const Task& task,
                                 const TaskSite& place) {
  const auto step = [&](const std::vector<std::string>& words) {
    if (words.empty()) return ShepherdProcess();
    return as_owner(expand_step_command(words, job, task, place, values_of(site)), site.directory);
  };
  const auto& plan = site.plan;
  return {plan.is_asked_for, step(plan.checkpoint), step(plan.migration), step(plan.cleaning),
          plan.signal,       plan.interval,         plan.patience,        plan.longest,
          plan.at_move,      plan.at_shutdown};
}

std::vector<std::string> restart_words(const CheckpointSite& site, const Job& job, const Task& task,
                                       const TaskSite& place) {
  const auto& plan = site.plan;
  if (!task.restarted || plan.saved_pid <= 0) return {};
  auto values = values_of(site);
  values["job_pid"] = std::to_string(plan.saved_pid);
  return expand_step_command(plan.restart, job, task, place, std::move(values));
}

} // namespace almanac
