// One co-allocation: reservations at several sites that start together, all of them or none
// (docs/spec/metascheduler.md section 5).
//
//   planning --ranges of all--> holding --all held--> committing --all answered--> over
//      ^  \--failed--> pausing     \--one failed--> aborting --next candidate--> holding
//      \------------------/                            \--no more--> pausing, over
//
// Whoever drives it sends the lines that it asks for and tells it what came of each: an answer, or
// silence. A site has at most one line under way. It writes the record that it asks for, durably,
// before it says so; nothing is sent until then.
//
// 1. COMMIT is sent only after the decision is durable, and not later than the margin before the
//    first hold ends (M5.6). It is repeated until it is answered. A site forgets after an hour how it
//    ended (M5.8): where it does not take the COMMIT, STATUS tells whether it was committed before.
// 2. What is not known to be committed is aborted, also after a crash (M5.9). ABORT needs the
//    RESID: where that is not known, the line of the hold is sent again first. Where a site does
//    not answer, its hold ends by itself.
// 3. Where a site has lost its hold after the decision, or refuses COMMIT, the others are given back,
//    and the end is `mixed` (M5.7). One that refuses RELEASE stays reserved, and its trouble says so.
#pragma once

#include "core/coallocation/chance.hpp"
#include "core/coallocation/coallocation_plan.hpp"
#include "core/coallocation/coallocation_record.hpp"
#include "core/coallocation/site_part.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct LineToSite {
  std::size_t site; ///< its place in the plan
  std::string line; ///< without a line break
};

/// What is to be done next: either a record is to be written, or lines are to be sent, or nothing.
struct CoallocationStep {
  std::optional<CoallocationRecord> record;
  std::vector<LineToSite> requests;
};

enum class CoallocationEnd { all, none, mixed };
/// As its enumerator.
const char* name_of(CoallocationEnd end);

struct SiteOutcome {
  SiteGrant grant;
  SiteState state = SiteState::nothing;
  std::string trouble; ///< what the site said last, if it was not good
};

struct CoallocationOutcome {
  CoallocationEnd end = CoallocationEnd::none;
  std::vector<SiteOutcome> sites;
  std::string why; ///< unless all are committed: a sentence without a stop
};

class Coallocation {
public:
  /// A new one. `id`: up to 40 letters and digits that no other one has. `seed`: a random number.
  Coallocation(CoallocationPlan plan, std::string id, std::uint64_t seed);
  /// Finishes one after a crash; the plan has the sites of the record.
  Coallocation(CoallocationPlan plan, const CoallocationRecord& record, std::uint64_t seed);

  // What happens; times are milliseconds since 1970 and never go back.
  CoallocationStep begin(std::int64_t now_ms);
  CoallocationStep answered(std::size_t site, const SiteAnswer& answer, std::int64_t now_ms);
  /// No answer will come to the line that is under way; it may have arrived, and may arrive yet.
  CoallocationStep silent(std::size_t site, const std::string& why, std::int64_t now_ms);
  CoallocationStep written(std::int64_t now_ms);
  CoallocationStep time_passed(std::int64_t now_ms);

  /// When time_passed() is due; no_time_ms: something else has to happen first.
  std::int64_t wake_at_ms() const;
  bool is_over() const { return phase_ == Phase::over; }
  /// The decision to commit is durable, so this goes on until each site has answered.
  bool is_decided() const { return phase_ == Phase::committing; }
  const std::string& id() const { return id_; }
  const CoallocationPlan& plan() const { return plan_; }
  /// Once it is over.
  CoallocationOutcome outcome() const;

private:
  enum class Phase { planning, pausing, holding, aborting, committing, over };

  CoallocationStep next_step(std::int64_t now_ms);
  bool move_on(std::int64_t now_ms);
  void plan_round(std::int64_t now_ms);
  void end_planning(std::int64_t now_ms);
  void pause(std::int64_t now_ms);
  void next_candidate(std::int64_t now_ms);
  bool give_up_holding();
  void end_holding(std::int64_t now_ms);
  void end_aborting(std::int64_t now_ms);
  bool move_commits();
  void want_record(CoallocationVerdict verdict);
  void finish(CoallocationEnd end);

  void take_good(SitePart& part, const SiteAnswer& answer, std::int64_t now_ms);
  void take_bad(SitePart& part, const SiteAnswer& answer, std::int64_t now_ms);
  void take_check(SitePart& part, const SiteAnswer& answer, std::int64_t now_ms);
  void be_committed(SitePart& part, std::int64_t now_ms);
  void doubt(SitePart& part, std::string why, std::int64_t now_ms);
  void lose(SitePart& part, std::int64_t now_ms);
  void repeat(SitePart& part, std::int64_t most, SiteState otherwise, std::int64_t now_ms);
  void ask_all(SiteTask task, std::int64_t now_ms);
  void abort_all(std::int64_t now_ms);
  void tell_why();
  void tell_loss();

  bool is_quiet() const;
  bool is_in_time(std::int64_t now_ms) const;
  bool has(SiteState state) const;
  std::int64_t random_pause_ms(std::int64_t times);
  SiteLines lines_of(std::size_t site) const;

  CoallocationPlan plan_;
  std::string id_;
  Chance chance_;
  Phase phase_ = Phase::planning;
  std::vector<SitePart> parts_; ///< as plan_.sites
  std::int64_t attempt_ = 0;
  std::int64_t round_ = 0; ///< those that are over
  std::int64_t pause_until_ms_ = no_time_ms;
  Instant earliest_;                         ///< of the starts that this round asks for
  std::deque<Instant> candidates_;           ///< those of this round that are left
  std::optional<CoallocationRecord> record_; ///< which is being written
  bool is_asked_for_ = false;                ///< record_ was handed out
  bool is_hopeless_ = false;                 ///< a site refused a hold, and would do so again
  bool releases_ = false;                    ///< rule 3 holds
  CoallocationEnd end_ = CoallocationEnd::none;
  std::string why_;
};

} // namespace almanac
