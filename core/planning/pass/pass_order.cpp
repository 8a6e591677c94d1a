#include "core/planning/pass/pass_order.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace almanac::rules {

namespace {

std::int64_t shortness_of(const Job& job) { return asked_length(job.request).seconds; }

} // namespace

bool PassOrder::Item::operator<(const Item& other) const {
  return std::tie(group, turn, rank, key) <
         std::tie(other.group, other.turn, other.rank, other.key);
}

PassOrder::PassOrder(State& state, Instant now)
    : state_(state),
      waiting_(state.waiting()),
      scheduler_(state.configuration().scheduler()),
      now_(now),
      queues_(state) {
  if (scheduler_.plus.sorts) sort_by_keys();
  else measure();
}

void PassOrder::measure() {
  scale_.urgencies = state_.priorities().urgencies(now_);
  if (!state_.priorities().has_tickets()) return;
  scale_.tickets.emplace(state_.configuration());
  for (const auto& [name, waiting] : waiting_.classes())
    scale_.tickets->count(waiting.party, waiting.members);
  scale_.tickets->settle();
}

// Where the order of queues depends on who waits, the head of a class stands for all of it: jobs of a
// class differ in their age only.
void PassOrder::sort_by_keys() {
  by_keys_.emplace(state_.occupancy().site.sort_keys(), state_.configuration());
  if (by_keys_->counts_jobs()) {
    const auto count = [&](JobKey key) {
      const auto& job = *state_.job(key);
      by_keys_->count(job, queue_of(job));
    };
    for (const auto& [name, waiting] : waiting_.classes())
      if (!waiting.jobs.empty()) count(*waiting.jobs.begin());
    for (const auto& [rank, key] : waiting_.holders()) count(key);
  }
  if (!by_keys_->takes_turns()) return;
  turns_ = by_keys_->turns();
  const auto last = turns_.find(state_.counters().last_queue);
  if (last != turns_.end()) last_turn_ = last->second;
}

const std::string& PassOrder::queue_of(const Job& job) {
  return queues_.of(waiting_.class_of(job.key), job, by_keys_->queues());
}

std::int64_t PassOrder::turn_of(const Job& job) {
  if (turns_.empty() || shortest_first()) return 0;
  const auto it = turns_.find(queue_of(job));
  return it == turns_.end() ? static_cast<std::int64_t>(turns_.size()) : it->second;
}

void PassOrder::take_turn(JobKey key) {
  if (turns_.empty()) return;
  const auto it = turns_.find(queue_of(*state_.job(key)));
  if (it == turns_.end()) return;
  last_turn_ = it->second;
  state_.note_turn(it->first);
}

JobRank PassOrder::rank_of(const Job& job) {
  static const std::string none;
  if (by_keys_) return by_keys_->rank_of(job, by_keys_->knows_queues() ? queue_of(job) : none);
  return {-priority_of(state_.configuration(), job, scale_, now_).value, {}};
}

void PassOrder::rank_all_anew() {
  waiting_.disturb();
  const auto holders = waiting_.holders();
  for (const auto& [rank, key] : holders) waiting_.rank(key, rank_of(*state_.job(key)));
}

void PassOrder::collect() {
  for (const auto key : waiting_.due(now_)) waiting_.unsettled().insert(key);
  for (const auto& [rank, key] : waiting_.holders())
    if (waiting_.unsettled().contains(key)) add_holder(rank, key);
  for (auto& [name, waiting] : waiting_.classes()) add(waiting);
  const auto first = std::find_if(queue_.begin(), queue_.end(),
                                  [](const Item& item) { return item.group == Group::others; });
  if (scheduler_.backfill != Backfill::shortest || first == queue_.end()) return;
  // Behind somebody who waits with a hold the order is another one from the start.
  for (const auto& [rank, key] : waiting_.holders())
    if (!waiting_.unsettled().contains(key) && rank <= first->rank) return block();
}

PassOrder::Item PassOrder::next() {
  auto first = queue_.begin();
  if (!turns_.empty()) {
    const auto behind =
        queue_.lower_bound({first->group, last_turn_ + 1, JobRank::lowest(), JobKey{}, nullptr});
    if (behind != queue_.end() && behind->group == first->group) first = behind;
  }
  auto item = *first;
  queue_.erase(first);
  return item;
}

bool PassOrder::shortest_first() const {
  return blocked_ && scheduler_.backfill == Backfill::shortest;
}

void PassOrder::add(Waiting::Class& waiting) {
  if (!waiting.dirty || waiting.jobs.empty()) {
    waiting.dirty = false;
    return;
  }
  const auto key = *waiting.jobs.begin();
  const auto& job = *state_.job(key);
  const auto group =
      state_.occupancy().attracting.contains(job.reservation_key) ? Group::inside : Group::others;
  auto rank = shortest_first() ? JobRank{shortness_of(job), {}} : rank_of(job);
  queue_.insert({group, turn_of(job), std::move(rank), key, &waiting});
}

void PassOrder::add_class_of(JobKey key) {
  auto& waiting = waiting_.class_of(key);
  waiting.dirty = true;
  add(waiting);
}

void PassOrder::add_holder(const JobRank& rank, JobKey key) {
  queue_.insert({Group::others, turn_of(*state_.job(key)), rank, key, nullptr});
}

void PassOrder::drop_holder(JobKey key) {
  std::erase_if(queue_, [&](const Item& item) { return item.key == key; });
}

void PassOrder::block() {
  blocked_ = true;
  if (!shortest_first()) return;
  std::set<Item> others;
  for (auto item : queue_) {
    item.rank = item.waiting ? JobRank{shortness_of(*state_.job(item.key)), {}} : JobRank::lowest();
    item.turn = 0;
    others.insert(item);
  }
  queue_.swap(others);
}

} // namespace almanac::rules
