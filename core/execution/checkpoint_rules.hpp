// When a job of a checkpointing environment is saved, and how: what the environment, its queue and -c say
// together (spec/objects.md section 6).
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/execution/checkpoint_plan.hpp"
#include "core/job/job_request.hpp"

#include <cstdint>
#include <string>

namespace almanac {

constexpr Duration longest_checkpoint{600}; ///< a command that takes longer is killed

/// Seconds between two checkpoints, of -c with a time; 0 for letters and for nothing.
std::int64_t checkpoint_interval(const std::string& checkpoint_at);

/// The letters that hold for the job: those of -c, else the environment's; of -c with a time the
/// environment's and m. "": none, as with n.
std::string checkpoint_occasions(const CheckpointEnvironment& environment,
                                 const JobRequest& request);

/// The environment that the job asks for; null if it asks for none, or it is gone.
const CheckpointEnvironment* checkpoint_of(const Configuration& configuration,
                                           const JobRequest& request);

/// Whether it runs elsewhere when its host is lost, whatever -r says: r of the environment, which -c
/// has no letter for.
bool runs_again_when_lost(const Configuration& configuration, const JobRequest& request);

/// `saved_pid`: as in the plan.
CheckpointPlan checkpoint_plan(const CheckpointEnvironment& environment, const JobRequest& request,
                               const InstanceSettings& queue, std::int64_t saved_pid);

} // namespace almanac
