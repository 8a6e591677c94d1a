#include "core/planning/pass/hold_keeper.hpp"

#include "core/matching/earliest.hpp"
#include "core/planning/texts.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

Hold hold_on(Placement place, Claim claim) {
  auto& assignment = place.assignment;
  return {place.window,
          std::move(assignment.pe),
          std::move(assignment.grants),
          std::move(assignment.bookings),
          "",
          claim == Claim::rerunnable};
}

Statement has_priority(JobNumber number) {
  return {AnswerCode::higher_priority, {{"job", number}}};
}

} // namespace

HoldKeeper::HoldKeeper(State& state, PassOrder& order, Starts& starts, Instant now)
    : state_(state),
      order_(order),
      starts_(starts),
      waiting_(state.waiting()),
      scheduler_(state.configuration().scheduler()),
      now_(now) {}

void HoldKeeper::drop_unwanted() {
  const bool wanted = scheduler_.most_holds > 0 && scheduler_.backfill != Backfill::none;
  if (wanted && scheduler_.keeps_holds) return;
  const auto holders = waiting_.holders();
  for (const auto& [rank, key] : holders) {
    state_.keep_holds(key, 0);
    state_.reindex(key, now_);
  }
  if (!holders.empty()) waiting_.disturb();
}

void HoldKeeper::unsettle_all() {
  for (const auto& [rank, key] : waiting_.holders()) waiting_.unsettled().insert(key);
}

void HoldKeeper::give_up(JobKey key) {
  waiting_.unsettled().erase(key);
  displaced_.erase(key);
  keep(key, {});
  offer_room();
}

// ---- a holder's turn --------------------------------------------------------------------------

bool HoldKeeper::look_at(JobKey key) {
  waiting_.unsettled().erase(key);
  const auto before = state_.job(key)->holds;
  const auto looked = look_at_each(key, before);
  if (looked.kept < before.size()) offer_room();
  // With the rank that it has among the holders. They were ranked by the last sweep: with one of now
  // it would come before its equals.
  if (looked.kept > 0) hold_more(key, JobRank(waiting_.rank_of(key)));
  return looked.started == before.size();
}

// One after the other: each that is found again is booked before the next is looked for.
HoldKeeper::Looked HoldKeeper::look_at_each(JobKey key, const std::vector<Hold>& before) {
  auto given_way = displaced_.extract(key);
  later_because_ = given_way.empty() ? waiting_.cause() : displacer_;
  Unbooked own = given_way.empty() ? Unbooked(state_, key) : std::move(given_way.mapped());
  std::vector<Hold> after;
  std::size_t started = 0;
  for (const auto& hold : before) {
    auto place = place_again(*state_.job(key), hold);
    if ((!place || place->window.start > hold.window.start) && make_way_for(key))
      place = place_again(*state_.job(key), hold);
    if (place && place->window.start <= now_) {
      if (started++ == 0) keep(key, {});
      starts_.start(key, {{place->pe, place->grants, place->bookings}, place->window});
    } else if (place) {
      own.book(*place);
      after.push_back(std::move(*place));
    } else note_loss(key, hold, later_because_);
  }
  const auto kept = after.size();
  if (started > 0 || after != before) keep(key, std::move(after));
  return {kept, started};
}

// What is held for a task, looked at again: earlier if that can be had, later only for a cause.
// Nothing if it can't be had any more.
std::optional<Hold> HoldKeeper::place_again(const Job& job, const Hold& before) {
  const auto wanted = starts_.class_request_of(waiting_.class_of(job.key), job);
  if (!wanted || obstacle(state_, job, now_)) return std::nullopt;
  auto place = earlier(job, *wanted, before);
  if (!place && before.window.start > now_ && is_still_there(state_, *wanted, before)) {
    auto kept = before;
    kept.rerunnable = wanted->claim == Claim::rerunnable; // its queue may say something else by now
    return kept;
  }
  if (!place) place = from_now_on(job, *wanted);
  if (!place) return std::nullopt;
  return moved(before, std::move(*place), wanted->claim, later_because_);
}

// Earlier than what is held, if it can be had.
std::optional<Placement> HoldKeeper::earlier(const Job& job, const ClassRequest& wanted,
                                             const Hold& before) {
  // Where it will give way it may start, and cannot be promised a place.
  if (wanted.gives_way && state_.books().any_preempting())
    if (auto present = starts_.place_now(job, wanted)) return present;
  auto place = place_earliest(state_, wanted, now_, before.window.start);
  if (!place || place->window.start > now_) return place;
  if (auto present = starts_.place_now(job, wanted)) return present;
  // Only the present stands in its way: it is looked at again with the next sweep.
  return place_earliest(state_, wanted, now_ + Duration{1}, before.window.start);
}

std::optional<Placement> HoldKeeper::from_now_on(const Job& job, const ClassRequest& wanted) {
  if (auto present = starts_.place_now(job, wanted)) return present;
  return place_earliest(state_, wanted, now_ + Duration{1});
}

Hold HoldKeeper::moved(const Hold& before, Placement place, Claim claim,
                       const std::optional<Statement>& because) const {
  auto next = hold_on(std::move(place), claim);
  next.cause = before.cause, next.planned = before.planned;
  if (next.window.start > before.window.start) {
    next.cause = text_of(because ? *because : Statement{AnswerCode::planned_capacity_gone, {}});
    if (next.planned == Instant{}) next.planned = before.window.start;
  } else if (next.window.start <= next.planned) next.cause.clear(), next.planned = {};
  return next;
}

void HoldKeeper::note_loss(JobKey key, const Hold& hold, std::optional<Statement> because) {
  lost_[key].push_back({hold, std::move(because)});
}

// What takes the place of one that was lost in this slice has moved: whoever looks sees only that.
Hold HoldKeeper::new_hold(JobKey key, Placement place, Claim claim) {
  const auto lost = lost_.find(key);
  if (lost == lost_.end()) return hold_on(std::move(place), claim);
  auto hold =
      moved(lost->second.front().hold, std::move(place), claim, lost->second.front().because);
  lost->second.erase(lost->second.begin());
  if (lost->second.empty()) lost_.erase(lost);
  return hold;
}

void HoldKeeper::keep(JobKey key, std::vector<Hold> holds) {
  state_.set_holds(key, std::move(holds));
  state_.reindex(key, now_);
}

// ---- how many may be held ---------------------------------------------------------------------

bool HoldKeeper::may_hold(const Job& job) const {
  return job.request->reserve && scheduler_.most_holds > 0 && !job.reservation_key &&
         scheduler_.backfill != Backfill::none;
}

bool HoldKeeper::hold_more(JobKey key, const JobRank& rank) {
  bool more = false;
  while (wants_hold(*state_.job(key)) && may_hold_one_more(rank, key)) {
    const auto& job = *state_.job(key);
    const auto wanted = starts_.class_request_of(waiting_.class_of(key), job);
    auto later = wanted ? place_earliest(state_, *wanted, now_ + Duration{1}) : std::nullopt;
    if (!later) break;
    make_room_for(*state_.job(key));
    auto holds = state_.job(key)->holds;
    holds.push_back(new_hold(key, std::move(*later), wanted->claim));
    state_.set_holds(key, std::move(holds));
    waiting_.rank(key, rank);
    state_.reindex(key, now_);
    more = true;
  }
  return more;
}

// Nobody keeps a slice busy with all tasks of a large array: those behind get theirs in time.
bool HoldKeeper::wants_hold(const Job& job) const {
  constexpr std::int64_t most_of_a_job = 32;
  return static_cast<std::int64_t>(job.holds.size()) <
         std::min(most_of_a_job,
                  startable_tasks(state_.configuration(), job, state_.tally(job.key)));
}

bool HoldKeeper::may_hold_one_more(const JobRank& rank, JobKey key) const {
  return !all_are_given() || has_lower_holders(rank, key);
}

// A newcomer takes the place of the lowest.
void HoldKeeper::make_room_for(const Job& job) {
  if (!all_are_given()) return;
  const auto lowest = waiting_.holders().rbegin()->second;
  auto holds = state_.job(lowest)->holds;
  note_loss(lowest, holds.back(), has_priority(job.number));
  holds.pop_back();
  const bool was_the_last = holds.empty();
  keep(lowest, std::move(holds));
  if (!was_the_last) return;
  displaced_.erase(lowest);
  order_.drop_holder(lowest);
  order_.add_class_of(lowest);
}

// Somebody who wants a hold may get one now.
void HoldKeeper::offer_room() {
  for (const auto& [rank, key] : waiting_.holders())
    if (wants_hold(*state_.job(key)) && waiting_.unsettled().insert(key).second)
      order_.add_holder(rank, key);
  for (auto& [name, waiting] : waiting_.classes())
    if (!waiting.jobs.empty() && !waiting.dirty &&
        state_.job(*waiting.jobs.begin())->request->reserve) {
      waiting.dirty = true;
      order_.add(waiting);
    }
}

// ---- who gives way ----------------------------------------------------------------------------

bool HoldKeeper::has_lower_holders(const JobRank& rank, JobKey key) const {
  return !waiting_.holders().empty() && *waiting_.holders().rbegin() > std::pair(rank, key);
}

void HoldKeeper::displace_behind(const JobRank& rank, JobKey key, JobNumber number) {
  displacer_ = has_priority(number);
  const auto& holders = waiting_.holders();
  for (auto it = holders.upper_bound({rank, key}); it != holders.end(); ++it) {
    if (displaced_.contains(it->second)) continue;
    displaced_.emplace(it->second, Unbooked(state_, it->second));
    waiting_.unsettled().insert(it->second);
    order_.add_holder(it->first, it->second);
  }
}

// What has to move later moves no further than it must: lower ones are held behind it. True if
// there are any.
bool HoldKeeper::make_way_for(JobKey key) {
  const auto& holders = waiting_.holders();
  const auto own = std::find_if(holders.begin(), holders.end(),
                                [&](const auto& holder) { return holder.second == key; });
  if (own == holders.end() || std::next(own) == holders.end()) return false;
  displace_behind(own->first, key, state_.job(key)->number);
  return true;
}

void HoldKeeper::take_back_displaced() {
  displaced_.clear();
  displacer_.reset();
}

void HoldKeeper::settle_displaced() {
  while (!displaced_.empty()) {
    auto first = displaced_.begin()->first;
    for (const auto& [rank, key] : waiting_.holders())
      if (displaced_.contains(key)) {
        first = key;
        break;
      }
    look_at(first);
  }
}

} // namespace almanac::rules
