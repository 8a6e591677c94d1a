// Steps of a job as the reporting file names them, and what it says with them, in Grid Engine's words
// (spec/cli.md C11.14).
#pragma once

namespace almanac {

struct JobEvent {
  const char* word;
  const char* message;
};

inline constexpr JobEvent job_came{"pending", "new job"}, job_sent{"sent", "sent to execd"},
    job_delivered{"delivered", "job received by execd"}, job_suspended{"suspended", ""},
    job_continued{"unsuspended", ""}, job_held{"held", ""}, job_released{"released", ""},
    job_cleared{"pending", ""};

// Of a task that leaves its place.
inline constexpr JobEvent job_finished{"finished", "job exited"},
    job_waits_to_go{"finished", "job waits for schedds deletion"},
    job_gone{"deleted", "job deleted by schedd"}, job_deleted{"deleted", "job deleted"},
    job_deleted_by_force{"deleted", "job deleted by forced deletion request"},
    job_in_error{"error", "job set in error state "},
    job_moves{"migrate", "job was checkpointed -> schedule it again"},
    job_never_ran{"restart", "job never ran -> schedule it again"},
    job_wants_another_try{"restart", "job didn't get resources -> schedule it again"},
    job_runs_again{"restart", "job rerun/checkpoint specified -> schedule it again"},
    job_rescheduled{"restart", "rescheduling job "};

/// Who did it, where it was none of the users.
inline constexpr const char *by_master = "master", *by_host = "execution daemon",
                            *by_scheduler = "scheduler";

} // namespace almanac
