// What is planned for waiting jobs with -R y: each holds the earliest place that it can have.
//
// 1. A hold moves earlier freely, and later only for a cause, which it names (S5.7 to S5.9).
// 2. What is held for lower priorities gives way to a higher one; it finds a new place in its turn
//    (S5.3, S5.8). Until then it is out of the ledger: no slice ends before it is settled.
// 3. There are at most max_reservation holds; if all are given, a newcomer takes the place of the
//    lowest (S5.2, S5.3).
//
// Ranks are those of PassOrder: the lowest is the highest priority. Source: spec/scheduling.md section 5.
#pragma once

#include "core/matching/placement.hpp"
#include "core/planning/pass/pass_order.hpp"
#include "core/planning/pass/starts.hpp"
#include "core/planning/state.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace almanac::rules {

class HoldKeeper {
public:
  /// For as long as these live.
  HoldKeeper(State& state, PassOrder& order, Starts& starts, Instant now);

  /// Without holds, or with fresh ones in each pass, nothing is left from before.
  void drop_unwanted();
  /// Something was given back: all that is held is looked at, one after the other.
  void unsettle_all();

  /// The holder's tasks start where their place is free now; else their holds move to the earliest
  /// time. True if all that was held for it has come to a start.
  bool look_at(JobKey key);

  /// Nothing is held for the job any more: it has found a place elsewhere.
  void give_up(JobKey key);

  /// Whether places are held for jobs like this one.
  bool may_hold(const Job& job) const;
  /// Holds for the tasks that have none, as long as there are any to give. True if it got some.
  bool hold_more(JobKey key, const JobRank& rank);

  bool has_lower_holders(const JobRank& rank, JobKey key) const;
  /// What is held for lower priorities gives way to the job with this number.
  void displace_behind(const JobRank& rank, JobKey key, JobNumber number);
  /// It was in vain: all are where they were.
  void take_back_displaced();
  /// A slice leaves no hold out of the ledger.
  void settle_displaced();

private:
  struct Looked {
    std::size_t kept = 0, started = 0;
  };
  Looked look_at_each(JobKey key, const std::vector<Hold>& before);
  std::optional<Hold> place_again(const Job& job, const Hold& before);
  std::optional<Placement> earlier(const Job& job, const ClassRequest& wanted, const Hold& before);
  std::optional<Placement> from_now_on(const Job& job, const ClassRequest& wanted);
  Hold moved(const Hold& before, Placement place, Claim claim,
             const std::optional<Statement>& because) const;
  void note_loss(JobKey key, const Hold& hold, std::optional<Statement> because);
  Hold new_hold(JobKey key, Placement place, Claim claim);
  void keep(JobKey key, std::vector<Hold> holds);
  bool make_way_for(JobKey key);

  bool wants_hold(const Job& job) const;
  bool may_hold_one_more(const JobRank& rank, JobKey key) const;
  bool all_are_given() const { return waiting_.holds() >= scheduler_.most_holds; }
  void make_room_for(const Job& job);
  void offer_room();

  State& state_;
  PassOrder& order_;
  Starts& starts_;
  Waiting& waiting_;
  const SchedulerConfiguration& scheduler_;
  Instant now_;
  std::map<JobKey, Unbooked> displaced_;   ///< holders whose holds are out of the books
  std::optional<Statement> displacer_;     ///< why they are
  std::optional<Statement> later_because_; ///< why the holder that is looked at may move later
  struct Lost {
    Hold hold;
    std::optional<Statement> because;
  };
  std::map<JobKey, std::vector<Lost>> lost_; ///< what was given up in this slice, and why
};

} // namespace almanac::rules
