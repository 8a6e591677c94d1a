// A task of a job that has left the queue once: it runs, or waits again.
//
// It holds bookings exactly while it has grants.
#pragma once

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/job/grant.hpp"
#include "core/utilization/booking.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace almanac {

// docs/pictures.md draws how a task goes from one of these to another; task_machine is the table.
// A task of an array that never left the queue is pending, and has no record.
//
// What is more to say of a state stands beside it: `deleting`, `after_end`, `rests_until`.
enum class TaskState : std::uint8_t { pending, sent, running, error };
template <> inline constexpr TaskState last_of<TaskState> = TaskState::error;

/// What comes of a task that is being ended once its first host says that it has: it goes, is tried
/// again, or waits in the error state; one that moves is tried again, too: it was suspended
/// (core/planning/migration.hpp).
enum class AfterEnd : std::uint8_t { gone, again, error, moved };
template <> inline constexpr AfterEnd last_of<AfterEnd> = AfterEnd::moved;

constexpr bool is_tried_again(AfterEnd after) {
  return after == AfterEnd::again || after == AfterEnd::moved;
}

struct Task {
  JobKey job;
  std::int64_t number = 0; ///< 0 for a job that is no array
  TaskState state = TaskState::pending;
  std::int64_t attempt = 0; ///< launches decided so far
  bool restarted = false;
  bool deleting = false;               ///< it is being ended
  AfterEnd after_end = AfterEnd::gone; ///< where it is being ended
  bool suspended = false;              ///< for one cause or several (core/planning/suspension)
  bool throttled = false;              ///< a cause: a suspend threshold was reached
  Duration fence;     ///< it ends itself when its host is cut off for so long; 0: never
  std::string reason; ///< of the error state, or of the last failed launch
  std::string pe;
  std::vector<Grant> grants;
  std::vector<Booking> bookings;
  Window booked;
  Duration limit = Duration::endless(); ///< wall clock, enforced by the shepherd
  Duration soft_limit = Duration::endless();
  Instant started;
  Instant rests_until{}; ///< asked for another try: pending, and not placed before; 0: it may be
  Instant ended_at{};    ///< before its limit, when its reservation was shortened; 0: by its limit
  ReservationKey attracted_by{};   ///< the reservation that it runs in without -ar; 0: none
  bool suspended_by_user = false;  ///< a cause: qmod -sj
  bool suspended_by_queue = false; ///< a cause: one of its queue instances is suspended
  bool suspended_by_slots =
      false;               ///< a cause: queues above its own have the slots (subordinate_list)
  bool rerunnable = false; ///< it runs outside of reservations, and gives way where a spare
                           ///< host of one is needed (spec/beyond.md B1.104)
  /// Of the process that was checkpointed last, in whichever attempt; 0: none was.
  std::int64_t checkpoint_pid = 0;
  /// It was told to end since these reservations begin, which wait for it (spec/plus.md P5.11);
  /// each once.
  std::vector<ReservationKey> gives_way_to{};

  TaskId id() const { return {job, number}; }
  /// It is ended instead of being stopped.
  bool is_moving() const { return deleting && after_end == AfterEnd::moved; }
  bool is_active() const { return state == TaskState::sent || state == TaskState::running; }
  /// When it ends at the latest, if it holds a place.
  Instant last_moment() const {
    const auto by_limit = booked.start + limit;
    return ended_at.seconds > 0 ? std::min(by_limit, ended_at) : by_limit;
  }
  bool rests() const { return state == TaskState::pending && rests_until.seconds > 0; }
  /// Whether it waits for a place that it may take.
  bool is_next() const { return state == TaskState::pending && !deleting && !rests(); }
};
template <class V> void describe(V& visit, Task& t) {
  visit("number", t.number);
  visit("state", t.state);
  visit("attempt", t.attempt);
  visit("restarted", t.restarted);
  visit("deleting", t.deleting);
  visit("suspended", t.suspended);
  visit("reason", t.reason);
  visit("pe", t.pe);
  visit("grants", t.grants);
  visit("bookings", t.bookings);
  visit("booked", t.booked);
  visit("limit", t.limit);
  visit("soft_limit", t.soft_limit);
  visit("started", t.started);
  visit("throttled", t.throttled);
  visit("fence", t.fence);
  visit("rests_until", t.rests_until);
  visit("after_end", t.after_end);
  visit("job", t.job);
  visit("ended_at", t.ended_at);
  visit("attracted_by", t.attracted_by);
  visit("suspended_by_user", t.suspended_by_user);
  visit("suspended_by_queue", t.suspended_by_queue);
  visit("suspended_by_slots", t.suspended_by_slots);
  visit("rerunnable", t.rerunnable);
  visit("checkpoint_pid", t.checkpoint_pid);
  visit("gives_way_to", t.gives_way_to);
}
inline TaskId key_of(const Task& task) { return task.id(); }
using TaskPtr = std::shared_ptr<const Task>;

/// The letters of qstat's state column (spec/cli.md section 5.1). Of several causes of a suspension
/// the user's is shown, else the queue's. What is ended to be tried again is not being deleted.
/// `held` covers unfinished predecessors.
std::string state_letters(const Task& task, bool held);

} // namespace almanac
