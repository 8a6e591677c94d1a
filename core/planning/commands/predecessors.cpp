#include "core/planning/commands/predecessors.hpp"

#include "core/planning/array_dependencies.hpp"
#include "core/planning/commands/targets.hpp"

#include <algorithm>
#include <set>

namespace almanac::rules {

Result<std::vector<JobKey>, Statement> resolve_predecessors(const State& state, const Caller& owner,
                                                            const std::vector<std::string>& names) {
  std::set<JobKey> keys;
  if (!names.empty()) {
    const auto selection = select_jobs(state, owner, names, {});
    if (!selection) return selection.error();
    for (const auto& target : selection->targets) keys.insert(target.key);
  }
  return std::vector(keys.begin(), keys.end());
}

namespace {

// The first of them that waits for the job, whoever is between.
std::optional<JobNumber> waits_for(const State& state, JobKey key,
                                   const std::vector<JobKey>& predecessors) {
  std::set<JobKey> seen;
  for (const auto& first : predecessors) {
    std::vector<JobKey> open{first};
    while (!open.empty()) {
      const auto next = open.back();
      open.pop_back();
      const auto* job = state.job(next);
      if (!job || !seen.insert(next).second) continue;
      if (next == key) return state.job(first)->number;
      for (const auto* keys : {&job->waits_for, &job->waits_for_tasks})
        open.insert(open.end(), keys->begin(), keys->end());
    }
  }
  return std::nullopt;
}

// A name or a pattern that means the job itself, too, means the others.
Result<std::vector<JobKey>, Statement> of_others(const State& state, const Job& job,
                                                 const std::vector<std::string>& names,
                                                 std::vector<JobKey> keys) {
  if (std::find(names.begin(), names.end(), to_string(job.number)) == names.end())
    std::erase(keys, job.key);
  if (const auto other = waits_for(state, job.key, keys))
    return Statement{AnswerCode::job_would_wait_for_itself, {{"other", *other}}};
  return keys;
}

std::optional<Statement> array_obstacle(const State& state, const JobRequest& request,
                                        const std::vector<JobKey>& keys) {
  if (request.array_predecessors.empty()) return std::nullopt;
  if (!request.tasks.is_array()) return Statement{AnswerCode::no_array_to_wait, {}};
  if (keys.size() > most_array_dependencies)
    return Statement{AnswerCode::too_many_array_dependencies, {{"limit", most_array_dependencies}}};
  for (const auto key : keys) {
    const auto& other = *state.job(key);
    if (other.request->tasks != request.tasks)
      return Statement{AnswerCode::ranges_of_arrays_differ, {{"other", other.number}}};
    if (state.occupancy().array_successors.of(key).size() >= most_array_dependencies)
      return Statement{AnswerCode::too_many_arrays_wait,
                       {{"other", other.number}, {"limit", most_array_dependencies}}};
  }
  return std::nullopt;
}

} // namespace

Result<std::vector<JobKey>, Statement> new_predecessors(const State& state, const Job& job,
                                                        const std::vector<std::string>& names) {
  auto keys = resolve_predecessors(state, job.owner, names);
  return keys ? of_others(state, job, names, std::move(*keys)) : keys;
}

Result<std::vector<JobKey>, Statement> array_predecessors(const State& state, const Caller& owner,
                                                          const JobRequest& request) {
  auto keys = resolve_predecessors(state, owner, request.array_predecessors);
  if (!keys) return keys;
  if (auto why = array_obstacle(state, request, *keys)) return *why;
  return keys;
}

Result<std::vector<JobKey>, Statement> new_array_predecessors(const State& state, const Job& job,
                                                              const JobRequest& request) {
  const auto& names = request.array_predecessors;
  auto keys = resolve_predecessors(state, job.owner, names);
  if (keys) keys = of_others(state, job, names, std::move(*keys));
  if (!keys) return keys;
  if (auto why = array_obstacle(state, request, *keys)) return *why;
  return keys;
}

} // namespace almanac::rules
