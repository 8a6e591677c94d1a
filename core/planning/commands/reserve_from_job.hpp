// qrsub -from-job: what a waiting job asks for is reserved, and the job is bound to it, both or
// neither (spec/beyond.md section 4, rules 2 to 4).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <optional>

namespace almanac::rules {

/// A command with all that the job says, for its owner (rule 2).
struct ForJob {
  JobKey job;
  Caller owner;
  Reserve command; ///< names no job
};
/// Or why there is no reservation for the job that it names, whatever its place (rule 4).
Result<ForJob, Answer> asked_for_job(const State& state, const Caller& caller,
                                     const Reserve& command);

/// Why the job could not be bound to a reservation like this, which would be for it.
std::optional<Statement> binding_obstacle(const State& state, const ForJob& asked, Shape shape,
                                          Instant now);

/// The reservation belongs to the owner of the job, and ends with it. What is held for the job is in
/// nobody's way, and goes.
Answer reserve_from_job(State& state, const Caller& caller, const Reserve& command, Instant now);

} // namespace almanac::rules
