// Who is served next: each party has a queue, and the parties take turns.
//
// Whoever sends a thousand requests waits for their own; the others wait for one of each party.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace almanac {

template <class Party, class Entry> class Turns {
public:
  void add(const Party& party, Entry entry) {
    auto& queue = queues_[party];
    if (queue.empty()) order_.push_back(party);
    queue.push_back(std::move(entry));
    ++size_;
  }

  /// The oldest entry of the party whose turn it is.
  std::optional<Entry> next() {
    if (order_.empty()) return std::nullopt;
    const auto party = order_.front();
    order_.pop_front();
    const auto it = queues_.find(party);
    auto entry = std::move(it->second.front());
    it->second.pop_front();
    --size_;
    if (it->second.empty()) queues_.erase(it);
    else order_.push_back(party);
    return entry;
  }

  std::size_t size() const { return size_; }

private:
  std::map<Party, std::deque<Entry>> queues_; ///< none is empty
  std::deque<Party> order_;                   ///< those who have a queue
  std::size_t size_ = 0;
};

} // namespace almanac
