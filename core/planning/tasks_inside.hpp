// Tasks in a reservation, and another shape of it: what they hold they keep.
#pragma once

#include "core/planning/state.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace almanac::rules {

/// Hands over those that hold a place, with their jobs.
void each_task_inside(const State& state, const Reservation& reservation,
                      const std::function<void(const Job& job, const Task& task)>& take);

/// "17", or "17.3" for a task of an array.
std::string name_inside(const Job& job, const Task& task);

/// What the tasks hold on each instance.
std::vector<Grant> held_by_tasks(const State& state, const Reservation& reservation);

/// Why the task would not end in time in that window; nothing if it does.
std::optional<Statement> overrun_of(const State& state, const Job& job, const Task& task,
                                    Window window);

/// Tasks in it that were to end with it run on as far as it lets them now: no further than their job
/// asks for and their queues let them. Nobody's limit becomes shorter (spec/beyond.md B11.22).
void prolong_tasks(State& state, ReservationKey key);

/// What the shape has less than the task holds, beside those that were asked about before.
class KeptByShape {
public:
  explicit KeptByShape(const Shape& next) : left_(amounts_of(next.bookings)) {}
  std::optional<Statement> lacks(const Job& job, const Task& task);

private:
  Amounts left_;
};

} // namespace almanac::rules
