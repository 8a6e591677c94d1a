#include "core/execution/checkpoint_rules.hpp"

#include "core/configuration/objects/control_method.hpp"
#include "core/configuration/objects/step_line.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool has(const std::string& occasions, char letter) {
  return occasions.find(letter) != std::string::npos;
}

std::int64_t seconds_of(Duration time) { return time.is_endless() ? 0 : time.seconds; }

// It was checked when the environment was read.
std::vector<std::string> words_of(const std::string& command) {
  if (command.empty()) return {};
  auto step = parse_step_command(command);
  return step ? std::move(step->words) : std::vector<std::string>();
}

} // namespace

std::int64_t checkpoint_interval(const std::string& checkpoint_at) {
  const auto time = parse_duration(checkpoint_at);
  return time ? std::max<std::int64_t>(0, seconds_of(*time)) : 0;
}

std::string checkpoint_occasions(const CheckpointEnvironment& environment,
                                 const JobRequest& request) {
  const auto& asked = request.checkpoint_at;
  if (asked.empty()) return environment.when;
  if (checkpoint_interval(asked) > 0)
    return has(environment.when, 'm') ? environment.when : environment.when + "m";
  return has(asked, 'n') ? "" : asked;
}

const CheckpointEnvironment* checkpoint_of(const Configuration& configuration,
                                           const JobRequest& request) {
  if (request.checkpoint.empty()) return nullptr;
  const auto found = configuration.checkpoints().find(request.checkpoint);
  return found == configuration.checkpoints().end() ? nullptr : &found->second;
}

bool runs_again_when_lost(const Configuration& configuration, const JobRequest& request) {
  const auto* environment = checkpoint_of(configuration, request);
  return environment && has(environment->when, 'r');
}

CheckpointPlan checkpoint_plan(const CheckpointEnvironment& environment, const JobRequest& request,
                               const InstanceSettings& queue, std::int64_t saved_pid) {
  const auto occasions = checkpoint_occasions(environment, request);
  CheckpointPlan plan;
  plan.is_asked_for = true;
  plan.checkpoint = words_of(environment.checkpoint);
  plan.migration = words_of(environment.migration);
  plan.cleaning = words_of(environment.cleaning);
  if (environment.interface != CheckpointInterface::application_level)
    plan.restart = words_of(environment.restart);
  plan.signal = signal_called(environment.signal);
  if (has(occasions, 'm') && !queue.min_cpu_interval.is_endless())
    plan.interval = std::max(checkpoint_interval(request.checkpoint_at),
                             std::max<std::int64_t>(1, seconds_of(queue.min_cpu_interval)));
  plan.patience = std::max<std::int64_t>(1, seconds_of(queue.notify));
  plan.longest = longest_checkpoint.seconds;
  plan.at_move = has(occasions, 'x'), plan.at_shutdown = has(occasions, 's');
  plan.saved_pid = saved_pid;
  return plan;
}

} // namespace almanac
