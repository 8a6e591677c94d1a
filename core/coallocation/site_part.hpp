// What the coordinator knows of one site, and the lines that it sends there
// (docs/spec/metascheduler.md section 5).
//
// Times within are those of the coordinator's clock; lines hold those of the site's.
#pragma once

#include "core/coallocation/coallocation_plan.hpp"
#include "core/coallocation/site_answer.hpp"
#include "core/coallocation/common_starts.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace almanac {

/// What a site is asked for now. find: the line of the hold again, whose answer tells RESID (M5.8).
/// check: whether it is committed nevertheless, after a COMMIT that was not taken.
enum class SiteTask { none, greet, query, hold, find, abort, commit, check, release };

/// What a site has of the present candidate, as far as is known.
enum class SiteState { nothing, held, unknown, committed, lost, released };

constexpr std::int64_t no_time_ms = std::numeric_limits<std::int64_t>::max();

struct SitePart {
  SiteTask task = SiteTask::none;
  bool waits = false;       ///< a line is under way
  std::int64_t due_ms = 0;  ///< when the line is sent, or sent again
  std::int64_t sent_ms = 0; ///< the last time
  std::int64_t sends = 0;   ///< of this line
  std::int64_t doubts = 0;  ///< answers to COMMIT and STATUS that leave open what it has
  Duration shift;           ///< what the site's clock is ahead
  SiteRanges ranges;        ///< at which it could start
  Instant start;            ///< of the present candidate
  Instant hold_until;       ///< of what is held
  std::string reservation;  ///< RESID
  std::string key;          ///< RESKEY
  SiteState state = SiteState::nothing;
  std::string trouble;     ///< what went wrong last; empty where nothing did
  bool is_lasting = false; ///< the trouble will be the same if it is asked again

  void ask(SiteTask wanted, std::int64_t now_ms);
  void again(std::int64_t at_ms) { due_ms = at_ms; }
  void done() { task = SiteTask::none; }
  void fail(std::string why, bool lasting);
};

/// What all the lines to a site have in common.
struct SiteLines {
  const CoallocationPlan& plan;
  std::size_t site; ///< its place in the plan
  std::string id;   ///< of the co-allocation and the attempt

  /// RESID and TXID as the part has them. `earliest` is for a query.
  std::string line(const SitePart& part, Instant earliest) const;
  /// Up to 64 characters (M3.29). Each site has one of its own: two may lead to the same cell.
  std::string transaction() const { return id + "." + std::to_string(site); }
};

/// Whether asking again may help: the site is busy, cannot now or shuts down (M8.22 to M8.24).
bool is_passing(std::int64_t status);
/// Whether the reservation is no longer what it was: unknown, aborted or in another state (M8.15,
/// M8.17, M8.18).
bool is_gone(std::int64_t status);

// Each puts into the part what such an answer with SC=0 says; the error tells what is wrong with
// it.

/// M5.3: the site's NOW lies within two seconds of the middle between question and answer, or is
/// shifted.
Outcome take_greeting(SitePart& part, const SiteAnswer& answer, OddClock odd, std::int64_t now_ms);
/// The ranges, cut to what was asked for. An answer without COUNT is one to something else (M3.37).
Outcome take_ranges(SitePart& part, const SiteAnswer& answer, SiteRange asked);
Outcome take_hold(SitePart& part, const SiteAnswer& answer);

/// What a site says of a reservation in an answer to COMMIT or RELEASE (M3.41).
bool says_state(const SiteAnswer& answer, std::string_view state);

/// What an answer with SC=0 to STATUS says of it (M3.42). committed, held: with the start that was
/// decided. unclear: it is no answer to STATUS.
enum class SiteStanding { committed, held, gone, unclear };
SiteStanding standing_of(const SitePart& part, const SiteAnswer& answer);

} // namespace almanac
