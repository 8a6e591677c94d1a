// What is wanted: reservations of one length at two to twenty sites, which start together
// (docs/spec/metascheduler.md, M5.1 and M5.2).
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

struct SitePlan {
  std::string name;
  std::string user;      ///< of the site, who is to own the reservation
  std::string resources; ///< tokens such as NODES=2;SLOTS=4
};

/// What becomes of a site whose clock differs by more than two seconds (M5.3).
enum class OddClock { refused, shifted };

struct CoallocationPlan {
  std::vector<SitePlan> sites; ///< in the order of their names
  Duration duration;
  Instant earliest;                  ///< no start before it; 0: as early as can be
  Instant latest = Instant::never(); ///< no start after it; never: as late as the sites look ahead
  Duration skew;                     ///< the starts may differ by so much
  Duration hold{120};                ///< asked for; a site may give less
  Duration margin{10};               ///< no COMMIT is sent later than this before a hold ends
  Duration lead{120};                ///< no start is earlier than this from now on
  Duration answer_within{30};        ///< an answer that takes longer is not waited for
  std::int64_t tries = 8;            ///< left ends of common ranges that are tried in a round
  std::int64_t rounds = 3;           ///< how often all is planned again
  OddClock odd_clock = OddClock::refused;
  std::string with; ///< tokens for SETRES only, such as NAME=both;PUBKEY=...
};

/// Limits: 2 to 20 sites with different names; the hold is at least three answers and the margin
/// (M5.5). The error names the setting as a plan's file does.
Outcome valid_plan(const CoallocationPlan& plan);

/// A hold ends at its start, so of a plan that is to be begun the lead is as long as that at least
/// (M5.5). What an earlier version has begun is finished without it.
Outcome valid_new_plan(const CoallocationPlan& plan);

} // namespace almanac
