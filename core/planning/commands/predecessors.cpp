#include "core/planning/commands/predecessors.hpp"

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
      open.insert(open.end(), job->waits_for.begin(), job->waits_for.end());
    }
  }
  return std::nullopt;
}

} // namespace

Result<std::vector<JobKey>, Statement> new_predecessors(const State& state, const Job& job,
                                                        const std::vector<std::string>& names) {
  auto keys = resolve_predecessors(state, job.owner, names);
  if (!keys) return keys;
  if (std::find(names.begin(), names.end(), to_string(job.number)) == names.end())
    std::erase(*keys, job.key);
  if (const auto other = waits_for(state, job.key, *keys))
    return Statement{AnswerCode::job_would_wait_for_itself, {{"other", *other}}};
  return keys;
}

} // namespace almanac::rules
