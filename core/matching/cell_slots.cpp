#include "core/matching/cell_slots.hpp"

#include <algorithm>

namespace almanac {

// What is taken somewhere beyond the capacity takes nothing from the others. What is kept for spare
// hosts is left out: the bound holds for everybody.
CellSlots::CellSlots(const Snapshot& state, const Supply& supply, std::int64_t slots, Instant from)
    : used_(state.seen(&state.all_slots())), most_(-slots), counts_(!supply.preempts()) {
  if (!counts_) return; // all slots are booked with those of jobs
  const auto& index = supply.capacity_index("slots");
  for (const auto& instance : state.configuration().instances()) {
    const auto& capacity = index.of_queue(instance);
    most_ +=
        std::max(*capacity.total, supply.booked(capacity).front()->max({from, Instant::never()}));
  }
}

std::optional<Instant> CellSlots::not_before(Instant start, Duration length) const {
  if (!counts_) return start;
  if (most_ < 0) return std::nullopt;
  return used_->earliest_fit(start, length, most_);
}

} // namespace almanac
