#include "core/utilization/books.hpp"

#include <algorithm>

namespace almanac {

const Ledger& Books::inside(ReservationKey key) const {
  static const Ledger nothing_booked;
  const auto it = inside_.find(key);
  return it == inside_.end() ? nothing_booked : it->second;
}

void Books::keep_two_lengths(bool wanted) {
  if (!wanted) return firm_.reset();
  firm_.emplace();
  for (const auto& [place, count] : spares_) firm_->open_spare(place.first, place.second);
  for (const auto& [place, count] : preempting_) firm_->open_preempted(place.first, place.second);
}

void Books::enter(const BookEntry& entry) {
  if (entry.inside) return inside_[entry.inside].book(*entry.bookings, entry.window);
  whole_.book(*entry.bookings, entry.window, entry.claim);
  if (entry.is_reserved && entry.firm) reserved_.book(*entry.bookings, *entry.firm, entry.claim);
  enter_firmly(entry);
  count_slots(entry, 1);
}

void Books::enter_firmly(const BookEntry& entry) {
  if (!firm_ || !entry.firm) return;
  firm_->book(*entry.bookings, *entry.firm, entry.claim);
}

void Books::take_out(const BookEntry& entry) {
  if (entry.inside) return inside_[entry.inside].release(*entry.bookings, entry.window);
  whole_.release(*entry.bookings, entry.window, entry.claim);
  if (entry.firm && entry.is_reserved) reserved_.release(*entry.bookings, *entry.firm, entry.claim);
  if (entry.firm && firm_) firm_->release(*entry.bookings, *entry.firm, entry.claim);
  count_slots(entry, -1);
}

void Books::count_slots(const BookEntry& entry, std::int64_t sign) {
  if (entry.slots == 0) return;
  if (sign > 0) all_slots_.add(entry.window, entry.slots);
  else all_slots_.remove(entry.window, entry.slots);
}

// ---- where spare hosts lie ----------------------------------------------------------------------

const Diagram* Books::with_spares(const Diagram* diagram) const {
  if (spares_.empty()) return nullptr;
  if (const auto* found = whole_.with_spares(diagram)) return found;
  if (const auto* found = reserved_.with_spares(diagram)) return found;
  return firm_ ? firm_->with_spares(diagram) : nullptr;
}

Books::Places Books::open_spares(const std::vector<Booking>& bookings) {
  Places opened;
  for (const auto& [container, resource, amount] : bookings) {
    if (spares_[{container, resource}]++ > 0) continue;
    whole_.open_spare(container, resource), reserved_.open_spare(container, resource);
    if (firm_) firm_->open_spare(container, resource);
    opened.emplace(container, resource);
  }
  return opened;
}

void Books::close_spares(const std::vector<Booking>& bookings) {
  for (const auto& [container, resource, amount] : bookings) {
    const auto it = spares_.find({container, resource});
    if (--it->second > 0) continue;
    spares_.erase(it);
    whole_.close_spare(container, resource), reserved_.close_spare(container, resource);
    if (firm_) firm_->close_spare(container, resource);
  }
}

// Reservations are no rerunnable jobs: nothing of these is in the ledger of reservations.
void Books::take_out_beside_spares(const BookEntry& entry, const Places& places) {
  for (const auto& booking : *entry.bookings) {
    if (!places.contains({booking.container, booking.resource})) continue;
    whole_.release_beside_spares(booking, entry.window);
    if (firm_ && entry.firm) firm_->release_beside_spares(booking, *entry.firm);
  }
}

// ---- where reservations that preempt lie --------------------------------------------------------

const Diagram* Books::without_preempting(const Diagram* diagram) const {
  if (preempting_.empty()) return nullptr;
  if (const auto* found = whole_.without_preempting(diagram)) return found;
  if (const auto* found = reserved_.without_preempting(diagram)) return found;
  return firm_ ? firm_->without_preempting(diagram) : nullptr;
}

void Books::open_preempted(const std::vector<Booking>& bookings) {
  for (const auto& [container, resource, amount] : bookings) {
    if (preempting_[{container, resource}]++ > 0) continue;
    whole_.open_preempted(container, resource), reserved_.open_preempted(container, resource);
    if (firm_) firm_->open_preempted(container, resource);
  }
}

void Books::close_preempted(const std::vector<Booking>& bookings) {
  for (const auto& [container, resource, amount] : bookings) {
    const auto it = preempting_.find({container, resource});
    if (--it->second > 0) continue;
    preempting_.erase(it);
    whole_.close_preempted(container, resource), reserved_.close_preempted(container, resource);
    if (firm_) firm_->close_preempted(container, resource);
  }
}

// Two lengths are kept for as long as jobs that need them may be there, and beyond.
bool Books::operator==(const Books& other) const {
  const auto agree_if_kept = [](const auto& one, const auto& same) {
    return !one || !same || *one == *same;
  };
  const auto are_within = [](const Books& some, const Books& all) {
    return std::all_of(some.inside_.begin(), some.inside_.end(),
                       [&](const auto& entry) { return entry.second == all.inside(entry.first); });
  };
  return whole_ == other.whole_ && agree_if_kept(firm_, other.firm_) &&
         reserved_ == other.reserved_ && all_slots_ == other.all_slots_ &&
         are_within(*this, other) && are_within(other, *this);
}

} // namespace almanac
