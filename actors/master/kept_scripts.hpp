// Which scripts the store has to have: those of the jobs that are there. Equal ones are kept once.
#pragma once

#include "core/job/job.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace almanac {

class KeptScripts {
public:
  /// A job that is there, perhaps known already.
  void note(const Job& job);
  /// A job is gone. Its script's hash, if no other job has it.
  std::optional<std::string> forget(JobKey job_key);
  bool has(const std::string& hash) const { return jobs_with_.contains(hash); }

private:
  using Jobs = std::map<std::string, std::int64_t>; ///< how many, by hash
  Jobs jobs_with_;
  std::map<JobKey, Jobs::iterator> script_of_;
};

} // namespace almanac
