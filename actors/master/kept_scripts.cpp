#include "actors/master/kept_scripts.hpp"

namespace almanac {

void KeptScripts::note(const Job& job) {
  if (job.script_hash.empty() || script_of_.contains(job.key)) return;
  const auto it = jobs_with_.try_emplace(job.script_hash, 0).first;
  ++it->second;
  script_of_.emplace(job.key, it);
}

std::optional<std::string> KeptScripts::forget(JobKey job_key) {
  const auto found = script_of_.find(job_key);
  if (found == script_of_.end()) return std::nullopt;
  const auto script = found->second;
  script_of_.erase(found);
  if (--script->second > 0) return std::nullopt;
  auto hash = script->first;
  jobs_with_.erase(script);
  return hash;
}

} // namespace almanac
