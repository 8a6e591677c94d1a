// What would become of those who wait if the configuration were another one: looked at one after the
// other, so that other inputs have their turn meanwhile.
//
// What is needed of the present state is taken over first; once that is done it may change.
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
  HoldTrial(const State& present, Instant now);

  /// One more job; true if there are others.
  bool take_over(const State& present);
  /// At one more job; true if there are others.
  bool look(TrialCell& other);
  const std::vector<Statement>& found() const { return found_; }

private:
  struct Holder {
    JobPtr job;
    std::vector<char> are_there; ///< of each hold: whether the next pass would keep it
  };
  void look_at(const Holder& holder, TrialCell& other);

  Instant now_;
  std::vector<JobKey> keys_; ///< in the order of their rank
  std::vector<Holder> holders_;
  std::size_t looked_ = 0; ///< holders
  std::vector<Statement> found_;
};

/// Whether a job could ever run: what qsub -w v asks, of a job that is there.
class CouldRun {
public:
  CouldRun(const State& state, const Job& job, Instant now);

  /// True if there is more to look at.
  bool look() { return search_ && search_->look(); }
  bool found() const { return search_ && search_->found().assignment; }
  /// Why not; not more than a few, and of those that kept it from no place `before`, where it could.
  std::vector<Statement> reasons_beside(const CouldRun& before) const;

private:
  std::optional<Statement> obstacle_; ///< nothing: `search_`
  std::optional<SuitabilitySearch> search_;
};

/// Jobs that could run, and could never run any more. Those of a class are looked at as one.
class PendingTrial {
public:
  explicit PendingTrial(Instant now) : now_(now) {}

  /// Some more jobs; true if there are others.
  bool take_over(const State& present);
  /// In the cell as it was and as it would be, which may have no jobs; true if there is more to look
  /// at.
  bool look(const State& before, const State& other);
  std::vector<Statement> found() const;

private:
  struct Kind {
    JobPtr first;
    std::vector<JobNumber> jobs; ///< the first few
    std::int64_t more = 0;
  };
  void note(const State& present, const JobPtr& job);
  bool look_at_kind(const State& before, const State& other);
  Statement named(const Kind& kind) const;

  Instant now_;
  JobKey next_job_;         ///< the first that is in no kind yet
  std::vector<Kind> kinds_; ///< in the order of their first jobs
  std::map<const Waiting::Class*, std::size_t> known_;
  std::size_t looked_ = 0;                ///< kinds
  std::optional<CouldRun> then_, before_; ///< of the kind that is looked at
  std::vector<Statement> found_;
};

} // namespace almanac::rules
