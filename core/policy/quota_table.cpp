#include "core/policy/quota_table.hpp"

namespace almanac {

void QuotaTable::add(const QuotaKey& key, Window window, std::int64_t amount) {
  if (amount != 0 && window.start < window.end) made(key).booked.add(window, amount);
}

void QuotaTable::remove(const QuotaKey& key, Window window, std::int64_t amount) {
  if (amount == 0 || window.start >= window.end) return;
  const auto at = *position_of(key);
  auto& booked = counters_[at].booked;
  booked.remove(window, amount);
  if (!booked.is_empty()) return;
  index_.erase(std::hash<QuotaKey>()(key), at);
  free_.push_back(at);
}

const Diagram* QuotaTable::find(const QuotaKey& key) const {
  const auto at = position_of(key);
  return at ? &counters_[*at].booked : nullptr;
}

const Diagram& QuotaTable::at(const QuotaKey& key) const { return made(key).booked; }

QuotaTable::Counter& QuotaTable::made(const QuotaKey& key) const {
  if (const auto known = position_of(key)) return counters_[*known];
  auto at = static_cast<std::uint32_t>(counters_.size());
  if (free_.empty()) counters_.emplace_back();
  else at = free_.back(), free_.pop_back();
  index_.insert(std::hash<QuotaKey>()(key), at);
  counters_[at].key = key;
  return counters_[at];
}

} // namespace almanac
