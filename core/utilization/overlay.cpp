#include "core/utilization/overlay.hpp"

namespace almanac {

void Overlay::change(const BookEntry& entry, Change how) {
  change(entry.inside ? books_.inside(entry.inside) : books_.whole(), entry, entry.window, how);
  if (entry.inside) return;
  if (entry.slots != 0) change(books_.all_slots(), entry.window, entry.slots, how);
  if (!entry.firm) return;
  if (books_.firm()) change(*books_.firm(), entry, *entry.firm, how);
  if (entry.is_reserved) change(books_.promised(), entry, *entry.firm, how);
}

// A spare host that is assumed where none lies keeps everybody out, and so does a reservation that
// preempts.
void Overlay::change(const Ledger& ledger, const BookEntry& entry, Window window, Change how) {
  for (const auto& booking : *entry.bookings) {
    const auto& diagram = ledger.at(booking.container, booking.resource);
    const auto* second = ledger.with_spares(&diagram);
    if (entry.claim != Claim::spare || !second) change(diagram, window, booking.amount, how);
    if (second && entry.claim != Claim::rerunnable) change(*second, window, booking.amount, how);
    if (entry.claim == Claim::spare || entry.claim == Claim::preempting) continue;
    if (const auto* third = ledger.without_preempting(&diagram))
      change(*third, window, booking.amount, how);
  }
}

void Overlay::change(const Diagram& diagram, Window window, std::int64_t amount) {
  if (amount > 0) change(diagram, window, amount, &Diagram::add);
  else change(diagram, window, -amount, &Diagram::remove);
}

void Overlay::change(const Diagram& diagram, Window window, std::int64_t amount, Change how) {
  if (window.start >= window.end) return;
  (changed_.try_emplace(&diagram, diagram).first->second.*how)(window, amount);
}

} // namespace almanac
