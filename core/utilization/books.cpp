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
         agree_if_kept(reserved_, other.reserved_) && all_slots_ == other.all_slots_ &&
         are_within(*this, other) && are_within(other, *this);
}

} // namespace almanac
