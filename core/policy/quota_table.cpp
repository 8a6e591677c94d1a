#include "core/policy/quota_table.hpp"

#include <algorithm>

namespace almanac {

void QuotaTable::add(const QuotaKey& key, Window window, std::int64_t amount) {
  if (amount == 0 || window.start >= window.end) return;
  if (const auto* known = index_.find(key)) return counters_[*known].booked.add(window, amount);
  auto at = static_cast<std::uint32_t>(counters_.size());
  if (free_.empty()) counters_.emplace_back();
  else at = free_.back(), free_.pop_back();
  counters_[at].key = key;
  counters_[at].booked.add(window, amount);
  index_.emplace(key, at);
}

void QuotaTable::remove(const QuotaKey& key, Window window, std::int64_t amount) {
  if (amount == 0 || window.start >= window.end) return;
  const auto at = *index_.find(key);
  counters_[at].booked.remove(window, amount);
  if (!counters_[at].booked.is_empty()) return;
  index_.erase(key);
  free_.push_back(at);
}

const Diagram* QuotaTable::find(const QuotaKey& key) const {
  const auto* at = index_.find(key);
  return at ? &counters_[*at].booked : nullptr;
}

bool QuotaTable::operator==(const QuotaTable& other) const {
  return in_use() == other.in_use() &&
         std::all_of(counters_.begin(), counters_.end(), [&](const Counter& counter) {
           if (counter.booked.is_empty()) return true;
           const auto* same = other.find(counter.key);
           return same && counter.booked == *same;
         });
}

} // namespace almanac
