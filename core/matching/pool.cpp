#include "core/matching/pool.hpp"

#include <algorithm>

namespace almanac {

Container Pool::container() const {
  switch (kind) {
  case Container::Kind::host: return Container::host(instance->name.host);
  case Container::Kind::queue: return Container::queue(instance->name);
  default: return Container::global();
  }
}

std::int64_t times_free(const Supply& supply, const Pool& pool, const ConsumableDemand& asked,
                        Window window) {
  if (asked.amount <= 0) return most_slots;
  const auto free = *supply.free(*pool.capacity, window);
  if (is_exclusive(asked)) {
    const bool shared = pool.shared && supply.used(*pool.shared, window) > 0;
    return shared || free < 1 ? 0 : most_slots;
  }
  const auto times = std::clamp<std::int64_t>(free / asked.amount, 0, most_slots);
  return asked.taking == Taking::per_slot ? std::min(times * asked.per, most_slots) : times;
}

} // namespace almanac
