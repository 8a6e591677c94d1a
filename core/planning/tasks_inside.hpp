// Tasks in a reservation, and another shape of it: what they hold they keep.
#pragma once

#include "core/planning/state.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace almanac::rules {

/// Hands over those that hold a place, with their jobs; also those that it attracted.
void each_task_inside(const State& state, const Reservation& reservation,
                      const std::function<void(const Job& job, const Task& task)>& take);

/// The same, those that hold theirs the longest first; at the end those that are being ended.
void each_task_by_age(const State& state, const Reservation& reservation,
                      const std::function<void(const Job& job, const Task& task)>& take);

/// "17", or "17.3" for a task of an array.
std::string name_inside(const Job& job, const Task& task);

/// What the tasks hold on each instance.
std::vector<Grant> held_by_tasks(const State& state, const Reservation& reservation);

/// The same of what the reservation has, without what was left behind.
std::vector<Grant> held_in_shape(const State& state, const Reservation& reservation);

/// The same of those that may stay in so many slots: the youngest ones leave.
std::vector<Grant> held_in_shape(const State& state, const Reservation& reservation,
                                 std::int64_t most);

/// What tasks hold beyond what the shape has: that was lost and replaced under them. Each instance
/// once. Of global consumables it has nothing: these are not booked twice. What was not left behind
/// before is booked until the reservation ends, or `latest`.
std::vector<LeftBehind> left_behind(const State& state, const Reservation& reservation,
                                    const Shape& shape, Instant latest = Instant::never());

/// Brings the record up to date: after its shape has changed, or tasks of it have ended.
void note_left_behind(State& state, ReservationKey key, Instant latest = Instant::never());

/// Why the task would not end in time in that window; nothing if it does.
std::optional<Statement> overrun_of(const State& state, const Job& job, const Task& task,
                                    Window window);

/// When it ends where the reservation ends then; 0: by its limit. Never at once: its last moments are
/// those of the reservation.
Instant end_before(const State& state, const Task& task, Instant end, Instant now);
/// That it ends then, and how much earlier that is.
Statement cut_short(const Job& job, const Task& task, Instant ended_at, Instant now);

/// Tasks in it that were to end with it run on as far as it lets them now: no further than their job
/// asks for and their queues let them. Nobody's limit becomes shorter (spec/beyond.md B11.22).
void prolong_tasks(State& state, ReservationKey key);

/// What the shape has less than the task holds, beside those that were asked about before and have
/// room. What is left behind stays beside the shape.
class KeptByShape {
public:
  KeptByShape(const Shape& next, const std::vector<LeftBehind>& left_behind);
  std::optional<Statement> lacks(const Job& job, const Task& task);

private:
  const bool has_pe_; ///< else slots of parallel environments were not granted: hosts were
  Amounts left_;
};

} // namespace almanac::rules
