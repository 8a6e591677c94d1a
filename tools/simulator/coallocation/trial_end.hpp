// How a trial has ended, and whether it may end like that (docs/spec/metascheduler.md section 5).
#pragma once

#include "core/coallocation/coallocation.hpp"
#include "tools/simulator/coallocation/trial_site.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct TrialEnd {
  /// Nothing where the coordinator was killed before it had written anything down.
  std::optional<CoallocationOutcome> outcome;
  bool is_decided = false;                  ///< a decision to commit was durable
  std::int64_t told_ms = 0;                 ///< when the outcome was told
  std::vector<std::vector<SiteHold>> sites; ///< as in the plan, after all holds must have ended
};

/// What is wrong with it; empty where all is right: all sites have committed, or none has as far as
/// anybody can know, or the end is `mixed` and all is given back (rule 3). No line makes two holds (rule 4). What is told is
/// what the sites have.
std::string complaint_of(const CoallocationPlan& plan, const TrialEnd& end);

/// "all", "none", "mixed", or "stopped" where nobody was told of an outcome.
const char* name_of(const std::optional<CoallocationOutcome>& outcome);

} // namespace almanac
