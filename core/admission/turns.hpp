// Who is served next: each party has a queue, and the parties take turns at the places there are.
//
// 1. Whoever sends a thousand requests waits for their own; the others wait for one of each party.
// 2. Some places are kept for those who come first, however many others are in line or served. With
//    what does not fit there they take turns like everybody: nor do they keep the others out.
#pragma once

#include "core/admission/share.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace almanac {

template <class Party, class Entry> class Turns {
public:
  using Rank = Share::Rank;
  struct Places {
    std::size_t all = 1;
    std::size_t kept = 0; ///< of them, for those who come first
  };
  struct Turn {
    Entry entry;
    Rank place; ///< what is to be given back once it was served
  };

  explicit Turns(Places places) : places_(places) {}

  void add(const Party& party, Rank rank, Entry entry) {
    const Who who{rank, party};
    auto& queue = queues_[who];
    if (queue.empty()) order_.push_back(who), first_ += rank == Rank::first;
    queue.push_back(std::move(entry));
    ++size_;
  }

  /// The oldest entry of the party whose turn it is; nothing if nobody waits for a place that is
  /// free.
  std::optional<Turn> next() {
    if (first_ > 0 && kept_taken_ < places_.kept) {
      ++kept_taken_;
      const auto is_first = [](const Who& who) { return who.rank == Rank::first; };
      return Turn{take(std::find_if(order_.begin(), order_.end(), is_first)), Rank::first};
    }
    if (order_.empty() || taken_ >= places_.all - places_.kept) return std::nullopt;
    ++taken_;
    return Turn{take(order_.begin()), Rank::ordinary};
  }

  /// A place is free again.
  void leave(Rank place) { --(place == Rank::first ? kept_taken_ : taken_); }

  /// Entries that wait.
  std::size_t size() const { return size_; }
  /// Entries that are served, and those of them at places that are kept.
  std::size_t served() const { return taken_ + kept_taken_; }
  std::size_t served_at_kept_places() const { return kept_taken_; }

private:
  struct Who {
    Rank rank;
    Party party;
    auto operator<=>(const Who&) const = default;
  };

  Entry take(typename std::deque<Who>::iterator place) {
    const auto who = *place;
    order_.erase(place);
    const auto it = queues_.find(who);
    auto entry = std::move(it->second.front());
    it->second.pop_front();
    --size_;
    if (!it->second.empty()) {
      order_.push_back(who);
    } else {
      queues_.erase(it);
      first_ -= who.rank == Rank::first;
    }
    return entry;
  }

  Places places_;
  std::map<Who, std::deque<Entry>> queues_; ///< none is empty
  std::deque<Who> order_;                   ///< those who have a queue
  std::size_t first_ = 0;                   ///< of them
  std::size_t size_ = 0;
  std::size_t taken_ = 0, kept_taken_ = 0;
};

} // namespace almanac
