// A job that somebody wants to submit, as far as it can be judged before a place is looked for.
#pragma once

#include "core/matching/demand.hpp"
#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

struct WantedJob {
  JobRequest request; ///< with what defaults and other names of things make of it
  Demand demand;
};
/// Or why there can be no such job, whatever is free.
Result<WantedJob, Answer> wanted_job(const State& state, const Caller& caller,
                                     const Submit& command, Instant now);

/// Queue R<id> is the reservation with that id, where no queue is called so and that reservation is there
/// (spec/rulings.md). Else the job waits for it (named_jobs.hpp).
JobRequest with_named_reservation(const Snapshot& state, JobRequest request);

/// The job that would come of it, as a pass would see it: it has no key and no number yet.
Job imagined(const Snapshot& state, const Caller& caller, const JobRequest& request, Instant now);

Answer unable_to_run(Statement why, std::int64_t code = 1);

} // namespace almanac::rules
