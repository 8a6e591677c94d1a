#include "core/utilization/overlay.hpp"

namespace almanac {

void Overlay::change(const BookEntry& entry, std::int64_t sign) {
  change(entry.inside ? books_.inside(entry.inside) : books_.whole(), entry, entry.window, sign);
  if (entry.inside) return;
  if (entry.slots != 0) change(books_.all_slots(), entry.window, sign * entry.slots);
  if (!entry.firm) return;
  if (books_.firm()) change(*books_.firm(), entry, *entry.firm, sign);
  if (entry.is_reserved) change(books_.promised(), entry, *entry.firm, sign);
}

// A spare host that is assumed where none lies keeps everybody out, and so does a reservation that
// preempts.
void Overlay::change(const Ledger& ledger, const BookEntry& entry, Window window,
                     std::int64_t sign) {
  for (const auto& booking : *entry.bookings) {
    const auto& diagram = ledger.at(booking.container, booking.resource);
    const auto* second = ledger.with_spares(&diagram);
    if (entry.claim != Claim::spare || !second) change(diagram, window, sign * booking.amount);
    if (second && entry.claim != Claim::rerunnable) change(*second, window, sign * booking.amount);
    if (entry.claim == Claim::spare || entry.claim == Claim::preempting) continue;
    if (const auto* third = ledger.without_preempting(&diagram))
      change(*third, window, sign * booking.amount);
  }
}

void Overlay::change(const Diagram& diagram, Window window, std::int64_t amount) {
  if (window.start >= window.end) return;
  auto& changed = changed_.try_emplace(&diagram, diagram).first->second;
  if (amount > 0) changed.add(window, amount);
  else changed.remove(window, -amount);
}

} // namespace almanac
