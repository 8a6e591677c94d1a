// What the planner does from a state on if nothing comes but time (spec/beyond.md section 2, rule 1).
//
// It is a planner of its own, which decides as the real one does: tasks begin when they are placed and
// end when their bookings do, reservations open and close, calendars turn, times of -a come. Nobody
// submits anything, nothing fails, no load changes.
#pragma once

#include "core/planning/planner.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace almanac {

class Forecast {
public:
  /// What runs inside that reservation is in no figure.
  Forecast(Planner planner, Instant now, ReservationKey left_out = {});

  /// Asked before anything happens; the forecast goes on with what comes of it.
  Answer carry_out(const Caller& caller, const CommandBody& command);
  /// What can start now has started.
  void begin();

  Instant now() const { return now_; }
  /// When something happens next; never() if nothing does any more.
  Instant next() const;
  /// All that happens then.
  void go_on();

  const State& state() const { return planner_.state(); }
  /// When tasks began that waited at first.
  const std::map<TaskId, Instant>& starts() const { return starts_; }
  /// Of tasks that run.
  std::int64_t used_slots() const { return used_slots_; }
  /// Equal where the same tasks wait and the same run with the same ends.
  std::uint64_t condition() const { return condition_; }

private:
  struct Running {
    Instant end;
    std::int64_t slots = 0;
    bool counts = true;
  };
  void handle(const ValidInput& input);
  void follow(const Task& task);
  void follow(const Reservation& reservation);
  void forget(const TaskId& task);
  void settle();
  void await_times();

  Planner planner_;
  Instant now_;
  ReservationKey left_out_;
  bool pass_wanted_ = true;
  std::map<TaskId, Running> running_;
  std::map<ReservationKey, Instant> looks_; ///< when reservations are due
  std::set<std::pair<Instant, TaskId>> ends_;
  std::set<std::pair<Instant, ReservationKey>> dues_;
  std::set<Instant> passes_;
  std::set<TaskId> sent_; ///< have been placed and not begun
  std::map<TaskId, Instant> starts_;
  std::int64_t used_slots_ = 0;
  std::uint64_t condition_ = 0;
};

} // namespace almanac
