// What all commands over jobs say and refuse.
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// Nothing of what is listed belongs to them.
Answer no_jobs_of(const std::vector<std::string>& users);

/// What it takes to write these tasks anew, roughly.
std::int64_t written_bytes(const State& state, JobKey key, const std::vector<std::int64_t>& tasks);

/// Of one request that would have too much written anew; see Rewriting.
Statement too_much_from(JobNumber number);

/// Likewise; see SingleTasks.
Statement too_many_tasks_from(JobNumber number);

/// The code says what the caller may not do to the job.
Statement no_right_to(AnswerCode code, const Caller& caller, JobNumber number);

Statement no_such_job(const std::string& target);

/// No task that these ranges name, of which there are some, is there any more.
Statement no_such_task(const Job& job, const std::vector<TaskRange>& ranges);

/// As a detail of a sentence: a job that is no array, one of its tasks, or several.
Statement tasks_of(const Job& job, const std::vector<std::int64_t>& tasks);
Statement whole_job(const Job& job);

} // namespace almanac::rules
