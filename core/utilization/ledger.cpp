#include "core/utilization/ledger.hpp"

#include "core/base/check.hpp"

#include <algorithm>

namespace almanac {

void Ledger::book(const std::vector<Booking>& bookings, Window window) {
  if (window.start >= window.end) return;
  for (const auto& booking : bookings)
    diagrams_.emplace(booking.container)[booking.resource].add(window, booking.amount);
}

void Ledger::release(const std::vector<Booking>& bookings, Window window) {
  if (window.start >= window.end) return;
  for (const auto& booking : bookings) {
    auto* diagrams = diagrams_.find(booking.container);
    check(diagrams != nullptr, "what is released was booked");
    const auto it = diagrams->find(booking.resource);
    check(it != diagrams->end(), "what is released was booked");
    it->second.remove(window, booking.amount);
  }
}

std::int64_t Ledger::used(const Container& container, const Resource& resource,
                          Window window) const {
  const auto* diagram = find(container, resource);
  return diagram ? diagram->max(window) : 0;
}

const Diagram* Ledger::find(const Container& container, const Resource& resource) const {
  const auto* diagrams = diagrams_.find(container);
  if (!diagrams) return nullptr;
  const auto it = diagrams->find(resource);
  return it == diagrams->end() ? nullptr : &it->second;
}

// All that is booked here is booked there, too.
bool Ledger::is_within(const Ledger& other) const {
  return diagrams_.all_of([&](const Container& container, const auto& diagrams) {
    return std::all_of(diagrams.begin(), diagrams.end(), [&](const auto& entry) {
      const auto& [resource, diagram] = entry;
      const auto* same = other.find(container, resource);
      return same ? diagram == *same : diagram.is_empty();
    });
  });
}

} // namespace almanac
