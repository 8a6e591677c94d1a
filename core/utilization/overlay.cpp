#include "core/utilization/overlay.hpp"

namespace almanac {

void Overlay::change(const BookEntry& entry, std::int64_t sign) {
  change(entry.inside ? books_.inside(entry.inside) : books_.whole(), *entry.bookings, entry.window,
         sign);
  if (entry.inside) return;
  if (entry.slots != 0) change(books_.all_slots(), entry.window, sign * entry.slots);
  if (!entry.firm) return;
  if (books_.firm()) change(*books_.firm(), *entry.bookings, *entry.firm, sign);
  if (books_.reserved() && entry.is_reserved)
    change(*books_.reserved(), *entry.bookings, *entry.firm, sign);
}

void Overlay::change(const Ledger& ledger, const std::vector<Booking>& bookings, Window window,
                     std::int64_t sign) {
  for (const auto& booking : bookings)
    change(ledger.at(booking.container, booking.resource), window, sign * booking.amount);
}

void Overlay::change(const Diagram& diagram, Window window, std::int64_t amount) {
  if (window.start >= window.end) return;
  auto& changed = changed_.try_emplace(&diagram, diagram).first->second;
  if (amount > 0) changed.add(window, amount);
  else changed.remove(window, -amount);
}

} // namespace almanac
