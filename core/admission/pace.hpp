// How fast requests go on to whoever serves them: a taker gets no more of a party than it has
// heard.
//
// A party's first request goes on at once. Those that come before it was heard wait, and go on
// together, at most so many: what lies in a taker's mailbox is bounded, whoever sends how much, and
// the others wait for no more than that.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace almanac {

template <class Party, class Entry> class Pace {
public:
  explicit Pace(std::size_t at_once) : at_once_(at_once) {}

  /// The entry, if it may go on now: the taker is to be asked then whether it has heard it.
  std::optional<Entry> add(const Party& party, Entry entry) {
    const auto [it, is_new] = waiting_.try_emplace(party);
    if (is_new) return entry;
    it->second.push_back(std::move(entry));
    return std::nullopt;
  }

  /// The taker has heard all that went on: what goes on next. If it is something, it is to be asked
  /// again.
  std::vector<Entry> heard(const Party& party) {
    std::vector<Entry> next;
    const auto it = waiting_.find(party);
    if (it == waiting_.end()) return next;
    for (auto& queue = it->second; !queue.empty() && next.size() < at_once_; queue.pop_front())
      next.push_back(std::move(queue.front()));
    if (next.empty()) waiting_.erase(it);
    return next;
  }

private:
  std::size_t at_once_;
  std::map<Party, std::deque<Entry>> waiting_; ///< of those whose last request was not heard yet
};

} // namespace almanac
