#include "core/utilization/ledger.hpp"

#include "core/base/check.hpp"

#include <algorithm>

namespace almanac {

void Ledger::book(const std::vector<Booking>& bookings, Window window, Claim claim) {
  if (window.start >= window.end) return;
  for (const auto& booking : bookings) {
    auto& diagram = diagrams_.emplace(booking.container)[booking.resource];
    auto* second = with_spares(diagram);
    check(second || claim != Claim::spare, "two diagrams are kept where a spare host lies");
    if (claim != Claim::spare) diagram.add(window, booking.amount);
    if (second && claim != Claim::rerunnable) second->add(window, booking.amount);
    if (claim == Claim::spare || claim == Claim::preempting) continue;
    if (auto* third = without_preempting(diagram)) third->add(window, booking.amount);
  }
}

void Ledger::release(const std::vector<Booking>& bookings, Window window, Claim claim) {
  if (window.start >= window.end) return;
  for (const auto& booking : bookings) {
    auto* diagrams = diagrams_.find(booking.container);
    check(diagrams != nullptr, "what is released was booked");
    const auto it = diagrams->find(booking.resource);
    check(it != diagrams->end(), "what is released was booked");
    auto* second = with_spares(it->second);
    check(second || claim != Claim::spare, "what is released was booked");
    if (claim != Claim::spare) it->second.remove(window, booking.amount);
    if (second && claim != Claim::rerunnable) second->remove(window, booking.amount);
    if (claim == Claim::spare || claim == Claim::preempting) continue;
    if (auto* third = without_preempting(it->second)) third->remove(window, booking.amount);
  }
}

void Ledger::open_spare(const Container& container, const Resource& resource) {
  const auto& diagram = at(container, resource);
  with_spares_.emplace(&diagram, diagram);
}
void Ledger::close_spare(const Container& container, const Resource& resource) {
  with_spares_.erase(&at(container, resource));
}
void Ledger::release_beside_spares(const Booking& booking, Window window) {
  if (window.start < window.end)
    with_spares(at(booking.container, booking.resource))->remove(window, booking.amount);
}

void Ledger::open_preempted(const Container& container, const Resource& resource) {
  const auto& diagram = at(container, resource);
  without_preempting_.emplace(&diagram, diagram);
}
void Ledger::close_preempted(const Container& container, const Resource& resource) {
  without_preempting_.erase(&at(container, resource));
}

Diagram* Ledger::without_preempting(const Diagram& diagram) {
  if (without_preempting_.empty()) return nullptr;
  const auto it = without_preempting_.find(&diagram);
  return it == without_preempting_.end() ? nullptr : &it->second;
}

Diagram* Ledger::with_spares(const Diagram& diagram) {
  if (with_spares_.empty()) return nullptr;
  const auto it = with_spares_.find(&diagram);
  return it == with_spares_.end() ? nullptr : &it->second;
}

std::int64_t Ledger::used(const Container& container, const Resource& resource,
                          Window window) const {
  const auto* diagram = find(container, resource);
  if (!diagram) return 0;
  const auto* second = with_spares(diagram);
  return std::max(diagram->max(window), second ? second->max(window) : 0);
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
      const auto* second = with_spares(&diagram);
      const auto* same_second = same ? other.with_spares(same) : nullptr;
      if (second && !(same_second && *second == *same_second)) return false;
      const auto* third = without_preempting(&diagram);
      const auto* same_third = same ? other.without_preempting(same) : nullptr;
      if (third && !(same_third && *third == *same_third)) return false;
      return same ? diagram == *same : diagram.is_empty();
    });
  });
}

} // namespace almanac
