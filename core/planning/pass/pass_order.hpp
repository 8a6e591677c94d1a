// Who comes next in a pass: dirty classes, each by its first job, and holders of holds that have to
// be looked at again, in the order of priority.
//
// 1. The lowest rank comes first, then the oldest job. A rank is the negated priority. Only jobs in
//    reservations that attract others come before, whatever their rank.
// 2. Behind the first that does not fit the policy's order of backfilling counts: with `shortest`,
//    holders first, then the shortest jobs.
// 3. It is made anew for each slice: what it knows of who waits is in Waiting.
//
// Source: spec/scheduling.md sections 3 (priorities) and 5 (dispatch loop).
#pragma once

#include "core/planning/state.hpp"
#include "core/policy/priority.hpp"

#include <compare>
#include <cstdint>
#include <set>

namespace almanac::rules {

class PassOrder {
public:
  /// Jobs in reservations with -attract y come before those that these may attract (spec/beyond.md
  /// B7.2).
  enum class Group : std::uint8_t { inside, others };
  /// A holder of a hold, or the head of a class.
  struct Item {
    Group group = Group::others;
    std::int64_t rank = 0;
    JobKey key;                        ///< of the job
    Waiting::Class* waiting = nullptr; ///< whose head it is; nullptr: it has a hold
    bool operator<(const Item& other) const;
  };

  /// Priorities are measured by all jobs that wait or run at this moment.
  PassOrder(State& state, Instant now);

  std::int64_t rank_of(const Job& job) const;
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
  void add_holder(std::int64_t rank, JobKey key);
  void drop_holder(JobKey key);
  void clear() { queue_.clear(); }

  /// The first that does not fit has come.
  void block();
  bool is_blocked() const { return blocked_; }

private:
  void measure();
  bool shortest_first() const;

  State& state_;
  Waiting& waiting_;
  const SchedulerConfiguration& scheduler_;
  Instant now_;
  PriorityScale scale_;
  std::set<Item> queue_;
  bool blocked_ = false;
};

} // namespace almanac::rules
