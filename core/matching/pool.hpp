// What shares an amount of a resource: the cell, a host or a queue instance, where it has a capacity
// of it.
//
// 1. Pools are found without names and take no memory of their own: a search asks for those of each
//    instance again and again. The container is put together only for who wants to name it.
// 2. Only what has a capacity of the resource is a pool; where there is none, nothing limits it.
//
// Source: spec/scheduling.md sections 6 (S6.2) and 7.4.
#pragma once

#include "core/matching/consumptions.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace almanac {

struct Pool {
  Container::Kind kind = Container::Kind::global;
  const QueueInstance* instance = nullptr; ///< one of those that draw on it; nullptr for the cell
  const Capacity* capacity = nullptr;
  const Capacity* shared = nullptr; ///< for who wants to be alone: what the others have booked

  Container container() const;
};

/// The pools of one consumption that an instance draws on: the cell's, the host's, its own.
class Pools {
public:
  const Pool* begin() const { return pools_.data(); }
  const Pool* end() const { return pools_.data() + size_; }
  bool empty() const { return size_ == 0; }
  void add(const Pool& pool) { pools_[size_++] = pool; }

private:
  std::array<Pool, 3> pools_;
  std::size_t size_ = 0;
};

inline std::optional<Pool> pool_of_cell(const Consumption& consumption) {
  const auto& capacity = consumption.capacity_index.of_cell();
  if (!capacity.total) return std::nullopt;
  const auto* shared = consumption.shared ? &consumption.shared->of_cell() : nullptr;
  return Pool{Container::Kind::global, nullptr, &capacity, shared};
}

/// The cell's, then the host's, then the instance's own.
inline Pools pools_of(const Consumption& consumption, const QueueInstance& instance) {
  Pools pools;
  const auto& index = consumption.capacity_index;
  const auto* shared = consumption.shared;
  if (const auto pool = pool_of_cell(consumption)) pools.add(*pool);
  if (const auto& capacity = index.of_host(instance); capacity.total)
    pools.add({Container::Kind::host, &instance, &capacity,
               shared ? &shared->of_host(instance) : nullptr});
  if (const auto& capacity = index.of_queue(instance); capacity.total)
    pools.add({Container::Kind::queue, &instance, &capacity,
               shared ? &shared->of_queue(instance) : nullptr});
  return pools;
}

/// How often it fits into what is free of the pool in the window; most_slots for any number.
std::int64_t times_free(const Supply& supply, const Pool& pool, const ConsumableDemand& asked,
                        Window window);

} // namespace almanac
