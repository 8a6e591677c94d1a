#include "core/planning/pass/pass_order.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace almanac::rules {

namespace {

std::int64_t shortness_of(const Job& job) { return asked_length(job.request).seconds; }

} // namespace

bool PassOrder::Item::operator<(const Item& other) const {
  return std::tie(group, rank, key) < std::tie(other.group, other.rank, other.key);
}

PassOrder::PassOrder(State& state, Instant now)
    : state_(state),
      waiting_(state.waiting()),
      scheduler_(state.configuration().scheduler()),
      now_(now) {
  measure();
}

void PassOrder::measure() {
  scale_.urgencies = state_.priorities().urgencies(now_);
  if (!state_.priorities().has_tickets()) return;
  scale_.tickets.emplace(state_.configuration());
  for (const auto& [name, waiting] : waiting_.classes())
    scale_.tickets->count(waiting.party, waiting.members);
  scale_.tickets->settle();
}

std::int64_t PassOrder::rank_of(const Job& job) const {
  return -priority_of(state_.configuration(), job, scale_, now_).value;
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
  const auto item = *queue_.begin();
  queue_.erase(queue_.begin());
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
  queue_.insert({group, shortest_first() ? shortness_of(job) : rank_of(job), key, &waiting});
}

void PassOrder::add_class_of(JobKey key) {
  auto& waiting = waiting_.class_of(key);
  waiting.dirty = true;
  add(waiting);
}

void PassOrder::add_holder(std::int64_t rank, JobKey key) {
  queue_.insert({Group::others, rank, key, nullptr});
}

void PassOrder::drop_holder(JobKey key) {
  std::erase_if(queue_, [&](const Item& item) { return item.key == key; });
}

void PassOrder::block() {
  blocked_ = true;
  if (!shortest_first()) return;
  std::set<Item> others;
  for (auto item : queue_) {
    item.rank = item.waiting ? shortness_of(*state_.job(item.key))
                             : std::numeric_limits<std::int64_t>::min();
    others.insert(item);
  }
  queue_.swap(others);
}

} // namespace almanac::rules
