#include "core/planning/commands/job_commands.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/ranges.hpp"

#include <algorithm>

namespace almanac::rules {

Statement too_much_from(JobNumber number) {
  return {AnswerCode::too_much_in_one_request, {{"job", number}}};
}
Statement too_many_tasks_from(JobNumber number) {
  return {AnswerCode::too_many_single_tasks, {{"limit", SingleTasks::most}, {"job", number}}};
}
Statement no_right_to(AnswerCode code, const Caller& caller, JobNumber number) {
  return {code, {{"user", caller.user}, {"job", number}}};
}
Statement no_such_job(const std::string& target) {
  return {AnswerCode::no_such_job, {{"job", target}}};
}
Statement no_such_task(const Job& job, const std::vector<TaskRange>& ranges) {
  return {AnswerCode::no_such_task, {{"job", job.number}, {"task", ranges.front().first}}};
}

Statement whole_job(const Job& job) { return {AnswerCode::the_job, {{"job", job.number}}}; }
Statement tasks_of(const Job& job, const std::vector<std::int64_t>& tasks) {
  if (!job.request->tasks.is_array()) return whole_job(job);
  return {tasks.size() == 1 ? AnswerCode::the_task : AnswerCode::the_tasks,
          {{"job", job.number}, {"tasks", print_tasks(tasks)}}};
}

std::int64_t written_bytes(const State& state, JobKey key, const std::vector<std::int64_t>& tasks) {
  constexpr std::int64_t flat = 256;
  TextBytes texts;
  for (const auto number : tasks)
    describe(texts, const_cast<Task&>(*state.task({key, number}))); // reads only
  return texts.count + flat * static_cast<std::int64_t>(tasks.size());
}

Answer no_jobs_of(const std::vector<std::string>& users) {
  return Answer::refusal({AnswerCode::no_jobs_of_users, {{"users", excerpt(users)}}});
}

} // namespace almanac::rules
