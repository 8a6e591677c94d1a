// Who comes next in a pass: dirty classes, each by its first job, and holders of holds that have to
// be looked at again, in the order of priority.
//
// 1. The lowest rank comes first, then the oldest job. A rank is the negated priority, or with
//    SORT_MODE=plus what the keys of sched_conf make of the job. Only jobs in reservations that attract
//    others come before, whatever their rank.
// 2. Behind the first that does not fit the policy's order of backfilling counts: with `shortest`,
//    holders first, then the shortest jobs.
// 3. It is made anew for each slice: what it knows of who waits is in Waiting.
// 4. With QueueRoundRobin queues have turns: behind the queue of the last start comes the next one that
//    has somebody to look at (spec/plus.md P6.17). What does not fit is no turn.
//
// Source: spec/scheduling.md sections 3 (priorities) and 5 (dispatch loop), spec/plus.md section 6.
#pragma once

#include "core/planning/pass/class_queue.hpp"
#include "core/planning/state.hpp"
#include "core/policy/job_order.hpp"
#include "core/policy/priority.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace almanac::rules {

class PassOrder {
public:
  /// Jobs in reservations with -attract y come before those that these may attract (spec/beyond.md
  /// B7.2).
  enum class Group : std::uint8_t { inside, others };
  /// A holder of a hold, or the head of a class.
  struct Item {
    Group group = Group::others;
    std::int64_t turn = 0; ///< of its queue among all queues; 0 where queues have none
    JobRank rank;
    JobKey key;                        ///< of the job
    Waiting::Class* waiting = nullptr; ///< whose head it is; nullptr: it has a hold
    bool operator<(const Item& other) const;
  };

  /// Priorities are measured by all jobs that wait or run at this moment.
  PassOrder(State& state, Instant now);

  JobRank rank_of(const Job& job);
  /// Priorities change with time: all classes are looked at again, and holders stand by their
  /// priority of today.
  void rank_all_anew();
  /// All that is to be looked at, as Waiting knows it.
  void collect();

  bool empty() const { return queue_.empty(); }
  /// Takes out the first.
  Item next();
  /// The class is to be looked at if it is dirty and has jobs; else it is clean.
  void add(Waiting::Class& waiting);
  /// Jobs like this one may fit now.
  void add_class_of(JobKey key);
  void add_holder(const JobRank& rank, JobKey key);
  void drop_holder(JobKey key);
  void clear() { queue_.clear(); }
  /// Before a task of the job starts: its queue has had its turn.
  void take_turn(JobKey key);

  /// The first that does not fit has come.
  void block();
  bool is_blocked() const { return blocked_; }

private:
  void measure();
  void sort_by_keys();
  const std::string& queue_of(const Job& job);
  std::int64_t turn_of(const Job& job);
  bool shortest_first() const;

  State& state_;
  Waiting& waiting_;
  const SchedulerConfiguration& scheduler_;
  Instant now_;
  PriorityScale scale_;
  std::optional<JobOrder> by_keys_; ///< with SORT_MODE=plus
  ClassQueue queues_;
  std::map<std::string, std::int64_t> turns_; ///< of the queues
  std::int64_t last_turn_ = -1;               ///< of the queue of the last start
  std::set<Item> queue_;
  bool blocked_ = false;
};

} // namespace almanac::rules
