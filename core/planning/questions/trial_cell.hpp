// The cell as it would be under another configuration: with what runs and what is reserved, and
// nothing that waits. The present one stays as it is.
//
// It is made of copies, some at a time, so that other inputs have their turn meanwhile.
#pragma once

#include "core/planning/state.hpp"

#include <cstddef>
#include <vector>

namespace almanac::rules {

/// What is done with so many records takes about as long as a look through the instances of the cell.
std::size_t records_at_once(const Snapshot& state);

class TrialCell {
public:
  /// `present` outlives it, and does not change before all is copied.
  TrialCell(const State& present, const Configuration& next, Instant now);

  /// Some more of the tasks that have a place; true if there are others.
  bool copy_more();
  const State& state() const { return cell_; }
  /// Holds this for a waiting job instead of what was.
  void hold(const Job& job, std::vector<Hold> holds);

private:
  void copy(const Job& job);

  const State& present_;
  State cell_;
  TaskId next_; ///< the first task that is not copied yet
  Instant now_;
};

} // namespace almanac::rules
