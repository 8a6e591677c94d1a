// The counters of one quota set: what is booked of each of its limits over time, for each member of
// the filters in braces.
//
// Only counters of which something is booked take memory: beside the diagram at most 38 bytes each.
#pragma once

#include "core/base/position_index.hpp"
#include "core/utilization/diagram.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace almanac {

/// Names a counter within a set. Members and places are numbers that QuotaCounters gives.
struct QuotaKey {
  std::uint16_t rule = 0, limit = 0;
  std::uint32_t member = 0; ///< user, project and parallel environment, as far as they are expanded
  std::uint32_t place = 0;  ///< queue and host, likewise
  bool beside = false;      ///< of those who must not meet an exclusive one
  auto operator<=>(const QuotaKey&) const = default;
};

} // namespace almanac

template <> struct std::hash<almanac::QuotaKey> {
  std::size_t operator()(const almanac::QuotaKey& key) const noexcept {
    const auto what = std::uint64_t{key.rule} << 17 | std::uint64_t{key.limit} << 1 | key.beside;
    auto mixed = (std::uint64_t{key.member} << 32 | key.place) + what * 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9U;
    return mixed ^ (mixed >> 29);
  }
};

namespace almanac {

class QuotaTable {
public:
  struct Counter {
    QuotaKey key;
    Diagram booked;
  };

  void add(const QuotaKey& key, Window window, std::int64_t amount);
  /// Takes back what add() booked with the same values.
  void remove(const QuotaKey& key, Window window, std::int64_t amount);

  /// nullptr: nothing is booked. It stays where it is until the last booking goes.
  const Diagram* find(const QuotaKey& key) const;
  /// An empty one, if nothing is.
  const Diagram& at(const QuotaKey& key) const;
  /// In no order; those that are empty are not in use.
  const std::deque<Counter>& counters() const { return counters_; }

private:
  std::optional<std::uint32_t> position_of(const QuotaKey& key) const {
    return index_.find(std::hash<QuotaKey>()(key),
                       [&](std::uint32_t at) { return counters_[at].key == key; });
  }
  Counter& made(const QuotaKey& key) const;

  mutable PositionIndex index_;
  mutable std::deque<Counter> counters_;
  mutable std::vector<std::uint32_t> free_; ///< empty ones, to be used again
};

} // namespace almanac
