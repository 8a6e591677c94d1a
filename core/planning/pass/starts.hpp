// What starts in one slice of a pass: whether a job fits now, and its start.
//
// Source: spec/scheduling.md section 5 and section 6 (S6.4).
#pragma once

#include "core/matching/placement.hpp"
#include "core/planning/pass/pass_order.hpp"
#include "core/planning/state.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace almanac::rules {

class Starts {
public:
  /// For as long as these live.
  Starts(State& state, PassOrder& order, Instant now) : state_(state), order_(order), now_(now) {}

  /// What the job and all others of its class ask for; nullptr if a name in it means nothing.
  std::shared_ptr<const ClassRequest> class_request_of(Waiting::Class& waiting, const Job& job);
  std::optional<Placement> place_now(const Job& job, const ClassRequest& wanted);
  /// Whether any reservation takes in jobs that did not name it.
  bool attracts() const { return state_.occupancy().attracting.any(); }
  /// The job's next task takes the place; others of its class may fit, too. `attracted_by`: in this
  /// reservation, which it did not name.
  void start(JobKey key, Placement place, ReservationKey attracted_by = {});
  /// -tcon y: a place for each task of the job, or nothing.
  std::optional<std::vector<Task>> place_all(const Job& job, const ClassRequest& wanted);
  void start_all(JobKey key, std::vector<Task> tasks);
  int count() const { return count_; }
  /// Places that were found for tasks that start at the same time, whether these could or not.
  int tried() const { return tried_; }

private:
  State& state_;
  PassOrder& order_;
  Instant now_;
  int count_ = 0, tried_ = 0;
  Obstacles unread_ = Obstacles::unwanted();
};

} // namespace almanac::rules
