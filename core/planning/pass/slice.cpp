#include "core/planning/pass/slice.hpp"

#include "core/matching/attraction.hpp"
#include "core/planning/pass/hold_keeper.hpp"
#include "core/planning/pass/pass_order.hpp"
#include "core/planning/pass/starts.hpp"

#include <set>

namespace almanac::rules {

namespace {

// Tasks that asked for another try are like others again.
void end_rests(State& state, Instant now) {
  for (const auto key : state.waiting().rested(now)) {
    const auto resting = state.tally(key).resting;
    for (auto it = resting.begin(); it != resting.end() && it->first <= now; ++it)
      state.edit<Task>({key, it->second}, [](Task& task) { task.rests_until = {}; });
    state.reindex(key, now);
  }
}

// One slice. Everything is looked at in the order of priority:
//
//   a holder       starts if its place is free now, else its hold moves to the earliest time
//   a class' head  starts if it fits now, with -tcon y if all of it does; what is held for lower
//                  priorities does not keep it; else, with -R y, the earliest place is held for it,
//                  and for an array's next tasks
//
// Both are tried in reservations with -attract y first, behind the jobs that named these.
class Slice {
public:
  Slice(State& state, Instant now, SliceLimits limits)
      : state_(state),
        waiting_(state.waiting()),
        scheduler_(state.configuration().scheduler()),
        now_(now),
        limits_(limits),
        order_(state, now),
        starts_(state, order_, now),
        holds_(state, order_, starts_, now) {}

  bool run() {
    collect();
    if (order_.empty()) return waiting_.in_a_pass = false;
    while (!order_.empty() && !is_over()) {
      const bool fits = look_at(order_.next());
      if (!fits && !order_.is_blocked()) order_.block();
      if (order_.is_blocked() && scheduler_.backfill == Backfill::none) order_.clear();
    }
    const bool more = !order_.empty();
    holds_.settle_displaced();
    waiting_.in_a_pass = more;
    if (!more) waiting_.settle();
    return more;
  }

private:
  void collect() {
    if (now_ >= waiting_.next_sweep) sweep();
    state_.refresh_order(now_);
    if (!waiting_.in_a_pass) holds_.drop_unwanted();
    if (!waiting_.in_a_pass && starts_.attracts()) holds_.unsettle_all();
    if (waiting_.take_early_ends(now_)) holds_.unsettle_all();
    if (scheduler_.backfill == Backfill::none) waiting_.disturb();
    order_.collect();
  }

  // Priorities change with time, and so may what fits: now and then all is looked at.
  void sweep() {
    waiting_.next_sweep = now_ + scheduler_.schedule_interval;
    state_.unsettle_order();
    order_.rank_all_anew();
  }

  bool is_over() const {
    return starts_.count() >= limits_.starts || looked_ + starts_.tried() >= limits_.looks;
  }

  // True unless it waits and keeps others waiting.
  bool look_at(const PassOrder::Item& item) {
    looked_ += item.waiting ? 1 : static_cast<int>(state_.job(item.key)->holds.size());
    return item.waiting ? look_at_head(item) : look_at_holder(item.key);
  }

  // What is held for it is given up where a reservation takes it in now (B7.23).
  bool look_at_holder(JobKey key) {
    auto inside = place_attracted(state_, *state_.job(key), now_);
    if (!inside) return holds_.look_at(key);
    holds_.give_up(key);
    starts_.start(key, std::move(inside->place), inside->reservation);
    return true;
  }

  bool look_at_head(const PassOrder::Item& item) {
    auto& waiting = *item.waiting;
    if (waiting.jobs.empty() || *waiting.jobs.begin() != item.key) {
      order_.add(waiting);
      return true;
    }
    const auto& job = *state_.job(item.key);
    const auto wanted = starts_.class_request_of(waiting, job);
    if (!wanted || obstacle(state_, job, now_)) {
      waiting.dirty = false;
      return true; // it does not compete
    }
    const auto rank = order_.rank_of(job);
    if (job.starts_at_once() ? start_all(waiting, job, *wanted, rank)
                             : start_next(waiting, job, *wanted, rank)) {
      order_.add(waiting);
      return true;
    }
    stuck_.insert(&waiting);
    waiting.dirty = false;
    if (item.group == PassOrder::Group::inside) return true; // it takes nothing from others
    if (!holds_.may_hold(job) || !holds_.hold_more(item.key, rank)) return false;
    waiting.dirty = true;
    order_.add(waiting);
    return false;
  }

  // What `find` finds now. What is held for lower priorities gives way.
  template <class Find>
  auto found_for_head(Waiting::Class& waiting, const Job& job, const JobRank& rank, Find find) {
    const bool is_stuck = stuck_.contains(&waiting);
    auto found = is_stuck ? decltype(find())() : find();
    if (found || job.reservation_key || !holds_.has_lower_holders(rank, job.key)) return found;
    holds_.displace_behind(rank, job.key, job.number);
    if (!is_stuck) found = find();
    if (!found && !holds_.may_hold(job)) holds_.take_back_displaced();
    return found;
  }

  bool start_next(Waiting::Class& waiting, const Job& job, const ClassRequest& wanted,
                  const JobRank& rank) {
    const auto key = job.key;
    // Before ordinary capacity: the reservation is paid for (B7.21).
    if (auto inside = place_attracted(state_, job, now_)) {
      starts_.start(key, std::move(inside->place), inside->reservation);
      return true;
    }
    auto place = found_for_head(waiting, job, rank, [&] { return starts_.place_now(job, wanted); });
    if (place) starts_.start(key, std::move(*place));
    return place.has_value();
  }

  bool start_all(Waiting::Class& waiting, const Job& job, const ClassRequest& wanted,
                 const JobRank& rank) {
    auto tasks = found_for_head(waiting, job, rank, [&] { return starts_.place_all(job, wanted); });
    if (tasks) starts_.start_all(job.key, std::move(*tasks));
    return tasks.has_value();
  }

  State& state_;
  Waiting& waiting_;
  const SchedulerConfiguration& scheduler_;
  Instant now_;
  SliceLimits limits_;
  PassOrder order_;
  Starts starts_;
  HoldKeeper holds_;
  std::set<const Waiting::Class*> stuck_; ///< asked only, never walked: nothing of it fits now
  int looked_ = 0;
};

} // namespace

bool pass(State& state, Instant now, SliceLimits limits) {
  if (state.counters().passes_off) return false;
  end_rests(state, now);
  for (const auto key : state.waiting().startable(now)) state.reindex(key, now);
  return Slice(state, now, limits).run();
}

} // namespace almanac::rules
