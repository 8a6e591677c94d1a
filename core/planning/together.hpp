// Tasks of a job that start at the same time or not at all: with -tcon y in a pass, with -now y at
// submission.
//
// 1. Nothing is booked before each of them has its place: they are looked for one after the other,
//    each beside those that have theirs, as an ordinary pass would find them.
// 2. Of a range of slots each takes the most that it can get; where not all fit so, each the fewest.
// 3. Of a job that waits there are at most as many as a slice of a pass starts (concurrency.hpp).
#pragma once

#include "core/matching/assumption.hpp"
#include "core/matching/placement.hpp"

#include <optional>
#include <vector>

namespace almanac::rules {

/// The search for the places of all tasks of a job that never left the queue. The job need not be
/// there, the state is under no other assumption, and all of them live as long.
class Together {
public:
  Together(const Snapshot& state, const Job& job, const ClassRequest& wanted, Instant now);

  /// Looks for all places, once; true if each task has one.
  bool fit();
  std::size_t placed() const { return tasks_.size(); }
  /// Those that are placed, as they are to be put.
  std::vector<Task> take_tasks() { return std::move(tasks_); }

  // ---- where not all fit ----------------------------------------------------------------------

  /// What keeps the next task waiting before a place is looked for; else it is that there is none.
  const std::optional<Statement>& obstacle() const { return obstacle_; }
  /// How many fit.
  Statement in_numbers() const;
  /// The state with those that fit, and the job without them.
  Snapshot look() const { return all_->look(); }
  const Job& rest() const { return rest_; }

private:
  void begin();
  bool place_all(const ClassRequest& wanted);
  bool place_next(const ClassRequest& wanted);

  const Snapshot& state_;
  const Job& job_;
  const ClassRequest& wanted_;
  Instant now_;
  std::optional<Assumption> all_;
  Job rest_;
  TaskTally tally_;
  std::vector<Task> tasks_;
  std::optional<Statement> obstacle_;
};

} // namespace almanac::rules
