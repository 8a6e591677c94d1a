#include "actors/master/waiting_hooks.hpp"

#include <utility>

namespace almanac {

void WaitingHooks::add_left(HookCall call) {
  const bool is_first = !waiting_.contains(call.reservation);
  add(std::move(call), is_first ? 2 : 1);
}

void WaitingHooks::add(HookCall call, std::int64_t attempt) {
  const auto key = call.reservation;
  auto& queue = waiting_[key];
  queue.push_back({std::move(call), attempt});
  if (queue.size() == 1 && !busy_.contains(key)) heads_.emplace(turn_of(queue.front().call), key);
}

std::optional<WaitingHooks::Run> WaitingHooks::next() {
  if (running_.size() >= most_at_once || heads_.empty()) return std::nullopt;
  const auto key = heads_.begin()->second;
  heads_.erase(heads_.begin());
  const auto queue = waiting_.find(key);
  auto run = std::move(queue->second.front());
  queue->second.pop_front();
  if (queue->second.empty()) waiting_.erase(queue);
  busy_.insert(key);
  running_.emplace(run.call.sequence, run.call);
  return run;
}

std::optional<HookCall> WaitingHooks::ended(std::int64_t sequence) {
  const auto found = running_.find(sequence);
  if (found == running_.end()) return std::nullopt;
  auto call = std::move(found->second);
  running_.erase(found);
  busy_.erase(call.reservation);
  if (const auto queue = waiting_.find(call.reservation); queue != waiting_.end())
    heads_.emplace(turn_of(queue->second.front().call), call.reservation);
  return call;
}

std::size_t WaitingHooks::waiting() const {
  std::size_t count = 0;
  for (const auto& [key, queue] : waiting_) count += queue.size();
  return count;
}

} // namespace almanac
