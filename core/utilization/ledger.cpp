#include "core/utilization/ledger.hpp"

namespace almanac {

void Ledger::add(const std::vector<Booking>& bookings, Window window, int sign) {
  for (const auto& booking : bookings) {
    const auto it = diagrams_.try_emplace({booking.container, booking.resource}).first;
    it->second.add(window, sign * booking.amount);
    if (it->second.is_empty()) diagrams_.erase(it);
  }
}

std::int64_t Ledger::used(const std::string& container, const std::string& resource,
                          Window window) const {
  const auto* diagram = find(container, resource);
  return diagram ? diagram->max(window) : 0;
}

const Diagram* Ledger::find(const std::string& container, const std::string& resource) const {
  const auto it = diagrams_.find({container, resource});
  return it == diagrams_.end() ? nullptr : &it->second;
}

} // namespace almanac
