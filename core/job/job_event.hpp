// Steps of a job as the reporting file names them, and what it says with them (spec/cli.md C11.13).
#pragma once

namespace almanac {

struct JobEvent {
  const char* word;
  const char* message;
};

inline constexpr JobEvent job_came{"pending", "new job"}, job_sent{"sent", "sent to execd"},
    job_delivered{"delivered", "job received by execd"}, job_finished{"finished", "job exited"};

} // namespace almanac
