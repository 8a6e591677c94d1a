#include "core/planning/concurrency.hpp"

namespace almanac::rules {

std::optional<Statement> concurrency_obstacle(const Configuration& configuration,
                                              const JobRequest& request) {
  if (!request.concurrent) return std::nullopt;
  if (!request.tasks.is_array()) return Statement{AnswerCode::concurrent_without_array, {}};
  const auto excluded = [](const char* option) {
    return Statement{AnswerCode::concurrent_and_reserving, {{"option", option}}};
  };
  if (request.reserve) return excluded("-R y");
  if (request.reserve_for != Duration{}) return excluded("-reserve");
  const auto tasks = request.tasks.count();
  const auto above = [&](const char* setting, std::int64_t most) -> std::optional<Statement> {
    if (most == 0 || tasks <= most) return std::nullopt;
    return Statement{AnswerCode::more_tasks_than_at_once,
                     {{"tasks", tasks}, {"setting", setting}, {"limit", most}}};
  };
  if (auto why = above("-tc", request.most_running)) return why;
  if (auto why = above("max_aj_instances", configuration.global().max_aj_instances)) return why;
  return above("the scheduler", most_at_once);
}

std::optional<Statement> settled_concurrency(const Job& job) {
  const auto tasks = job.request->tasks.is_array() ? job.request->tasks.count() : 1;
  const auto gone = tasks - job.fresh_tasks();
  if (gone == 0) return std::nullopt;
  return Statement{AnswerCode::concurrency_is_settled,
                   {{"job", job.number}, {"gone", gone}, {"tasks", tasks}}};
}

} // namespace almanac::rules
