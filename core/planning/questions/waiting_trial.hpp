// What would become of those who wait if the configuration were another one: looked at one after the
// other, so that other inputs have their turn meanwhile.
#pragma once

#include "core/matching/suitability.hpp"
#include "core/planning/questions/trial_cell.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace almanac::rules {

/// What is held for waiting jobs and would be lost, or come later. The highest priority keeps its
/// place first, as in a pass.
class HoldTrial {
public:
  HoldTrial(const State& present, TrialCell& other, Instant now);

  /// At one more job; true if there are others.
  bool look();
  const std::vector<Statement>& found() const { return found_; }

private:
  void look_at(const Job& job);
  bool is_still_there_now(const Job& job, const Hold& hold) const;

  const State& present_;
  TrialCell& other_;
  Instant now_;
  std::vector<JobKey> holders_; ///< the last one is looked at next
  std::vector<Statement> found_;
};

/// Whether a job could ever run: what qsub -w v asks, of a job that is there.
class CouldRun {
public:
  CouldRun(const State& state, const Job& job, Instant now);

  /// True if there is more to look at.
  bool look() { return search_ && search_->look(); }
  bool found() const { return search_ && search_->found().assignment; }
  /// Why not; not more than a few.
  std::vector<Statement> reasons() const;

private:
  std::optional<Statement> obstacle_; ///< nothing: `search_`
  std::optional<SuitabilitySearch> search_;
};

/// Jobs that could run, and could never run any more. Those of a class are looked at as one.
class PendingTrial {
public:
  PendingTrial(const State& present, const State& other, Instant now);

  bool look();
  std::vector<Statement> found() const;

private:
  struct Kind {
    JobKey first;
    std::vector<JobNumber> jobs; ///< the first few
    std::int64_t more = 0;
  };
  bool collect_more();
  void note(const Job& job);
  bool look_at_kind();

  const State& present_;
  const State& other_;
  Instant now_;
  JobKey next_job_; ///< the first that is in no kind yet
  bool are_collected_ = false;
  std::vector<Kind> kinds_; ///< in the order of their first jobs
  std::map<const Waiting::Class*, std::size_t> known_;
  std::size_t looked_ = 0;                ///< kinds
  std::optional<CouldRun> then_, now_is_; ///< of the kind that is looked at
  std::vector<Statement> found_;
};

} // namespace almanac::rules
