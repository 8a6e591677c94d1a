#include "core/utilization/books.hpp"

#include <algorithm>

namespace almanac {

const Ledger& Books::inside(ReservationKey key) const {
  static const Ledger nothing_booked;
  const auto it = inside_.find(key);
  return it == inside_.end() ? nothing_booked : it->second;
}

void Books::keep_two_lengths(bool wanted) {
  if (wanted) firm_.emplace(), reserved_.emplace();
  else firm_.reset(), reserved_.reset();
}

void Books::enter(const BookEntry& entry) {
  (entry.inside ? inside_[entry.inside] : whole_).book(*entry.bookings, entry.window);
  if (entry.inside) return;
  enter_firmly(entry);
  count_slots(entry, 1);
}

void Books::enter_firmly(const BookEntry& entry) {
  if (!firm_ || !entry.firm) return;
  firm_->book(*entry.bookings, *entry.firm);
  if (entry.is_reserved) reserved_->book(*entry.bookings, *entry.firm);
}

void Books::take_out(const BookEntry& entry) {
  (entry.inside ? inside_[entry.inside] : whole_).release(*entry.bookings, entry.window);
  if (entry.inside) return;
  if (firm_ && entry.firm) {
    firm_->release(*entry.bookings, *entry.firm);
    if (entry.is_reserved) reserved_->release(*entry.bookings, *entry.firm);
  }
  count_slots(entry, -1);
}

void Books::count_slots(const BookEntry& entry, std::int64_t sign) {
  if (entry.slots == 0) return;
  if (sign > 0) all_slots_.add(entry.window, entry.slots);
  else all_slots_.remove(entry.window, entry.slots);
}

namespace {

bool are_equal(const Diagram* a, const Diagram* b) {
  static const Diagram nothing;
  return (a ? *a : nothing) == (b ? *b : nothing);
}

} // namespace

bool are_equal(const Books& a, const Books& b,
               const std::set<std::pair<Container, Resource>>& places,
               const std::set<ReservationKey>& reservations) {
  const auto agree = [&](const Ledger& one, const Ledger& other) {
    return std::all_of(places.begin(), places.end(), [&](const auto& place) {
      return are_equal(one.find(place.first, place.second), other.find(place.first, place.second));
    });
  };
  // Two lengths are kept for as long as jobs that need them may be there, and beyond.
  const auto agree_if_kept = [&](const Ledger* one, const Ledger* other) {
    return !one || !other || agree(*one, *other);
  };
  return agree(a.whole(), b.whole()) && agree_if_kept(a.firm(), b.firm()) &&
         agree_if_kept(a.reserved(), b.reserved()) && are_equal(&a.all_slots(), &b.all_slots()) &&
         std::all_of(reservations.begin(), reservations.end(),
                     [&](ReservationKey key) { return agree(a.inside(key), b.inside(key)); });
}

} // namespace almanac
