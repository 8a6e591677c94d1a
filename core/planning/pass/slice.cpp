#include "core/planning/pass/slice.hpp"

#include "core/matching/earliest.hpp"
#include "core/matching/placement.hpp"
#include "core/planning/start.hpp"
#include "core/policy/priority.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace almanac::rules {

namespace {

// A holder of a hold, or the head of a class. The lowest rank comes first, then the oldest.
struct Item {
  std::int64_t rank = 0;
  JobKey key;
  Waiting::Class* waiting = nullptr; ///< nullptr: `key` has a hold
  bool operator<(const Item& other) const {
    return std::tie(rank, key) < std::tie(other.rank, other.key);
  }
};

// One slice. Everything is looked at in the order of priority:
//
//   a holder       starts if its place is free now, else its hold moves to the earliest time
//   a class' head  starts if it fits now; what is held for lower priorities does not keep it; else,
//                  with -R y, the earliest place is held for it, and for an array's next tasks
class Slice {
public:
  Slice(State& state, Instant now, SliceLimits limits)
      : state_(state),
        waiting_(state.waiting()),
        scheduler_(state.configuration.scheduler()),
        now_(now),
        limits_(limits) {}

  bool run() {
    end_rests();
    waiting_.admit_due(state_.configuration, now_, state_.jobs());
    prepare_ranks();
    if (now_ >= waiting_.next_sweep) sweep();
    state_.refresh_order(now_);
    if (!waiting_.in_a_pass) drop_unwanted_holds();
    if (waiting_.take_early_ends(now_)) unsettle_all();
    if (scheduler_.backfill == Backfill::none) waiting_.disturb();
    collect();
    if (queue_.empty()) return waiting_.in_a_pass = false;
    bool more = false;
    while (!queue_.empty()) {
      if (started_ >= limits_.starts || looked_ >= limits_.looks) {
        more = true;
        break;
      }
      const auto item = *queue_.begin();
      queue_.erase(queue_.begin());
      ++looked_;
      const bool fits = item.waiting ? look_at_head(item) : look_at_holder(item.key);
      if (!fits && !blocked_) block();
      if (blocked_ && scheduler_.backfill == Backfill::none) {
        queue_.clear();
        break;
      }
    }
    settle_displaced();
    waiting_.in_a_pass = more;
    if (!more) waiting_.settle();
    return more;
  }

private:
  // Tasks that asked for another try are like others again.
  void end_rests() {
    for (const auto key : waiting_.rested(now_)) {
      for (auto& task : state_.edit_job(key).tasks)
        if (task.rests() && task.rests_until <= now_) task.rests_until = {};
      state_.reindex(key, now_);
    }
  }

  // ---- order ----------------------------------------------------------------------------------

  void prepare_ranks() {
    if (waiting_.tally().knows_urgencies(scheduler_)) {
      scale_.urgencies = waiting_.tally().urgencies();
    } else {
      for (const auto& [key, job] : state_.jobs())
        scale_.urgencies.include(urgency_of(state_.configuration, *job, now_).sum());
    }
    if (!waiting_.tally().has_tickets() && !TicketPolicy::is_used(state_.configuration)) return;
    scale_.tickets.emplace(state_.configuration);
    for (const auto& [name, one] : waiting_.classes())
      scale_.tickets->count(one.party, one.members);
    scale_.tickets->settle();
  }

  std::int64_t rank_of(const Job& job) const {
    return -priority_of(state_.configuration, job, scale_, now_).value;
  }

  // Priorities change with time, and so may what fits: now and then all is looked at.
  void sweep() {
    waiting_.next_sweep = now_ + scheduler_.schedule_interval;
    waiting_.disturb();
    state_.unsettle_order();
    const auto holders = waiting_.holders();
    for (const auto& [rank, key] : holders) waiting_.rank(key, rank_of(*state_.job(key)));
  }

  // Something was given back: all that is held is looked at, one after the other.
  void unsettle_all() {
    for (const auto& [rank, key] : waiting_.holders()) waiting_.unsettled().insert(key);
  }

  void collect() {
    for (const auto key : waiting_.due(now_)) waiting_.unsettled().insert(key);
    for (const auto& holder : waiting_.holders())
      if (waiting_.unsettled().contains(holder.second))
        queue_.insert({holder.first, holder.second, nullptr});
    for (auto& [name, one] : waiting_.classes()) push(one);
    if (scheduler_.backfill != Backfill::shortest || queue_.empty()) return;
    // Behind somebody who waits with a hold the order is another one from the start.
    for (const auto& [rank, key] : waiting_.holders())
      if (!waiting_.unsettled().contains(key) && rank <= queue_.begin()->rank) return block();
  }

  void push(Waiting::Class& one) {
    if (!one.dirty || one.jobs.empty()) {
      one.dirty = false;
      return;
    }
    const auto key = *one.jobs.begin();
    const auto& job = *state_.job(key);
    queue_.insert(
        {blocked_ && scheduler_.backfill == Backfill::shortest ? shortness_of(job) : rank_of(job),
         key, &one});
  }

  std::int64_t shortness_of(const Job& job) const { return asked_length(job.request).seconds; }

  // The first that does not fit: from here on the order of backfilling counts.
  void block() {
    blocked_ = true;
    if (scheduler_.backfill != Backfill::shortest) return;
    std::set<Item> others;
    for (auto item : queue_) {
      item.rank = item.waiting ? shortness_of(*state_.job(item.key))
                               : std::numeric_limits<std::int64_t>::min();
      others.insert(item);
    }
    queue_.swap(others);
  }

  // ---- places ---------------------------------------------------------------------------------

  std::shared_ptr<const ClassRequest> class_request_of(Waiting::Class& one, const Job& job) {
    if (!one.wanted) {
      auto wanted = make_class_request(state_, job);
      if (wanted) one.wanted = std::make_shared<const ClassRequest>(std::move(*wanted));
    }
    return one.wanted;
  }

  std::optional<Placement> try_now(const Job& job, const ClassRequest& wanted) {
    if (!job.reservation_key && wanted.slots > state_.instance_order().free_slots())
      return std::nullopt;
    return place_now(state_, job, wanted, false, now_, unread_);
  }

  // ---- the two kinds of items -----------------------------------------------------------------

  // True if all that was held for it has come to a start.
  bool look_at_holder(JobKey key) {
    waiting_.unsettled().erase(key);
    const auto before = state_.job(key)->holds;
    const bool gave_way = displaced_.erase(key) > 0;
    if (!gave_way) state_.suspend(before);
    later_because_ = gave_way ? displacer_ : waiting_.cause();
    looked_ += static_cast<int>(before.size()) - 1;
    std::vector<Hold> after;
    std::size_t started = 0;
    for (const auto& hold : before) {
      auto place = place_again(*state_.job(key), hold);
      if ((!place || place->window.start > hold.window.start) && make_way_for(key))
        place = place_again(*state_.job(key), hold);
      if (place && place->window.start <= now_) {
        if (started++ == 0) keep(key, {});
        start(key, {{place->pe, place->grants, place->bookings}, place->window});
      } else if (place) {
        state_.resume(*place);
        after.push_back(std::move(*place));
      }
    }
    const auto kept = after.size();
    if (started > 0 || after != before) keep(key, std::move(after));
    if (kept < before.size()) open_place_for_a_hold();
    if (kept > 0) hold_more(key, rank_of(*state_.job(key)));
    return started == before.size();
  }

  // What is held for a task, looked at again: earlier if that can be had, later only for a cause.
  // Nothing if it can't be had any more.
  std::optional<Hold> place_again(const Job& job, const Hold& before) {
    const auto wanted = class_request_of(waiting_.class_of(job.key), job);
    if (!wanted || !obstacle(state_, job, now_).empty()) return std::nullopt;
    auto place = earliest(job, *wanted, before);
    if (!place && before.window.start > now_ && is_still_there(state_, *wanted, before))
      return before;
    if (!place) place = from_now_on(job, *wanted);
    return place ? std::optional(moved(before, std::move(*place))) : std::nullopt;
  }

  // Earlier than what is held, if it can be had.
  std::optional<Placement> earliest(const Job& job, const ClassRequest& wanted,
                                    const Hold& before) {
    auto place = place_earliest(state_, wanted, now_, before.window.start);
    if (!place || place->window.start > now_) return place;
    if (auto present = try_now(job, wanted)) return present;
    // Only the present stands in its way: it is looked at again with the next sweep.
    return place_earliest(state_, wanted, now_ + Duration{1}, before.window.start);
  }

  std::optional<Placement> from_now_on(const Job& job, const ClassRequest& wanted) {
    if (auto present = try_now(job, wanted)) return present;
    return place_earliest(state_, wanted, now_ + Duration{1});
  }

  // True if it has started.
  bool look_at_head(const Item& item) {
    auto& one = *item.waiting;
    if (one.jobs.empty() || *one.jobs.begin() != item.key) {
      push(one);
      return true;
    }
    const auto& job = *state_.job(item.key);
    const auto rank = rank_of(job);
    const auto wanted = class_request_of(one, job);
    if (!wanted || !obstacle(state_, job, now_).empty()) {
      one.dirty = false;
      return true; // it does not compete
    }
    const bool is_stuck = stuck_.contains(&one);
    auto place = is_stuck ? std::nullopt : try_now(job, *wanted);
    const bool may_hold = job.request.reserve && scheduler_.most_holds > 0 &&
                          !job.reservation_key && scheduler_.backfill != Backfill::none;
    if (!place && !job.reservation_key && has_lower_holders(rank, item.key)) {
      displace_behind(rank, item.key, job.number);
      if (!is_stuck) place = try_now(job, *wanted);
      if (!place && !may_hold) take_back_displaced();
    }
    if (place) {
      start(item.key, std::move(*place));
      push(one);
      return true;
    }
    stuck_.insert(&one);
    one.dirty = false;
    if (!may_hold || !hold_more(item.key, rank)) return false;
    one.dirty = true;
    push(one);
    return false;
  }

  // ---- holds ----------------------------------------------------------------------------------

  static Hold hold_on(Placement place) {
    auto& assignment = place.assignment;
    return {place.window, std::move(assignment.pe), std::move(assignment.grants),
            std::move(assignment.bookings), ""};
  }

  // Holds for the tasks that have none, as long as there are any to give. True if it got some.
  bool hold_more(JobKey key, std::int64_t rank) {
    bool more = false;
    while (wants_hold(*state_.job(key)) && may_hold_one_more(rank, key)) {
      const auto& job = *state_.job(key);
      const auto wanted = class_request_of(waiting_.class_of(key), job);
      auto later = wanted ? place_earliest(state_, *wanted, now_ + Duration{1}) : std::nullopt;
      if (!later) break;
      make_room_for_a_hold();
      state_.hold(key, hold_on(std::move(*later)));
      waiting_.rank(key, rank);
      state_.reindex(key, now_);
      more = true;
    }
    return more;
  }

  // Nobody keeps a slice busy with all tasks of a large array: those behind get theirs in time.
  bool wants_hold(const Job& job) const {
    constexpr std::int64_t most_of_a_job = 32;
    return static_cast<std::int64_t>(job.holds.size()) <
           std::min(most_of_a_job, startable_tasks(state_.configuration, job));
  }

  // The bookings of what was held before are out of the ledger, those of `holds` are in it.
  void keep(JobKey key, std::vector<Hold> holds) {
    state_.set_holds(key, std::move(holds));
    state_.reindex(key, now_);
  }

  Hold moved(const Hold& before, Placement place) const {
    auto next = hold_on(std::move(place));
    next.cause = before.cause;
    if (next.window.start > before.window.start)
      next.cause = !later_because_.empty() ? later_because_ : "what was counted on is not there";
    return next;
  }

  bool has_lower_holders(std::int64_t rank, JobKey key) const {
    return !waiting_.holders().empty() && *waiting_.holders().rbegin() > std::pair(rank, key);
  }

  bool all_holds_are_given() const { return waiting_.holds() >= scheduler_.most_holds; }
  bool may_hold_one_more(std::int64_t rank, JobKey key) const {
    return !all_holds_are_given() || has_lower_holders(rank, key);
  }

  // A newcomer takes the place of the lowest.
  void make_room_for_a_hold() {
    if (!all_holds_are_given()) return;
    const auto lowest = waiting_.holders().rbegin()->second;
    auto holds = state_.job(lowest)->holds;
    if (!displaced_.contains(lowest)) state_.suspend(holds.back());
    holds.pop_back();
    const bool was_the_last = holds.empty();
    keep(lowest, std::move(holds));
    if (!was_the_last) return;
    displaced_.erase(lowest);
    std::erase_if(queue_, [&](const Item& item) { return item.key == lowest; });
    push_class_of(lowest);
  }

  // Without holds, or with fresh ones in each pass, nothing is left from before.
  void drop_unwanted_holds() {
    const bool wanted = scheduler_.most_holds > 0 && scheduler_.backfill != Backfill::none;
    if (wanted && scheduler_.keeps_holds) return;
    const auto holders = waiting_.holders();
    for (const auto& [rank, key] : holders) {
      state_.keep_holds(key, 0);
      state_.reindex(key, now_);
    }
    if (!holders.empty()) waiting_.disturb();
  }

  // Somebody who wants a hold may get one now.
  void open_place_for_a_hold() {
    for (const auto& [rank, key] : waiting_.holders())
      if (wants_hold(*state_.job(key)) && waiting_.unsettled().insert(key).second)
        queue_.insert({rank, key, nullptr});
    for (auto& [name, one] : waiting_.classes())
      if (!one.jobs.empty() && !one.dirty && state_.job(*one.jobs.begin())->request.reserve) {
        one.dirty = true;
        push(one);
      }
  }

  void push_class_of(JobKey key) {
    auto& one = waiting_.class_of(key);
    one.dirty = true;
    push(one);
  }

  // What is held for lower priorities gives way; it finds a new place in its turn.
  void displace_behind(std::int64_t rank, JobKey key, JobNumber number) {
    displacer_ = "job " + to_string(number) + " has a higher priority";
    const auto& holders = waiting_.holders();
    for (auto it = holders.upper_bound({rank, key}); it != holders.end(); ++it) {
      if (!displaced_.insert(it->second).second) continue;
      state_.suspend(state_.job(it->second)->holds);
      waiting_.unsettled().insert(it->second);
      queue_.insert({it->first, it->second, nullptr});
    }
  }

  // What has to move later moves no further than it must: lower ones are held behind it. True if
  // there are any.
  bool make_way_for(JobKey key) {
    const auto& holders = waiting_.holders();
    const auto own = std::find_if(holders.begin(), holders.end(),
                                  [&](const auto& holder) { return holder.second == key; });
    if (own == holders.end() || std::next(own) == holders.end()) return false;
    displace_behind(own->first, key, state_.job(key)->number);
    return true;
  }

  void take_back_displaced() {
    for (const auto key : displaced_) state_.resume(state_.job(key)->holds);
    displaced_.clear();
    displacer_.clear();
  }

  // A slice leaves no hold out of the ledger.
  void settle_displaced() {
    while (!displaced_.empty()) {
      auto first = *displaced_.begin();
      for (const auto& [rank, key] : waiting_.holders())
        if (displaced_.contains(key)) {
          first = key;
          break;
        }
      look_at_holder(first);
    }
  }

  // ---- start ----------------------------------------------------------------------------------

  void start(JobKey key, Placement place) {
    ++started_;
    take_place(state_, state_.edit_job(key), std::move(place), now_);
    state_.refresh_order(now_);
    state_.reindex(key, now_);
    push_class_of(key);
  }

  State& state_;
  Waiting& waiting_;
  const SchedulerConfiguration& scheduler_;
  Instant now_;
  SliceLimits limits_;
  PriorityScale scale_;
  std::set<Item> queue_;
  std::set<JobKey> displaced_; ///< holders whose hold is out of the ledger
  std::string displacer_;
  std::string later_because_;             ///< cause of the holder that is looked at
  std::set<const Waiting::Class*> stuck_; ///< asked only, never walked: nothing of it fits now
  bool blocked_ = false;
  int started_ = 0, looked_ = 0;
  Obstacles unread_ = Obstacles::unwanted();
};

} // namespace

bool pass(State& state, Instant now, SliceLimits limits) {
  if (state.counters().passes_off) return false;
  return Slice(state, now, limits).run();
}

} // namespace almanac::rules
