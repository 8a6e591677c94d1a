#include "core/matching/lent_room.hpp"

#include "core/base/pieces.hpp"
#include "core/matching/supply.hpp"
#include "core/reservation/loan_room.hpp"

#include <algorithm>
#include <set>

namespace almanac {

namespace {

// Takes the reservations that the numbers name, each once.
template <class Take>
void each_named(const Snapshot& state, const std::vector<ReservationNumber>& numbers, Take take) {
  std::set<ReservationKey> seen;
  for (const auto number : numbers)
    if (const auto* one = state.reservation_by_number(number); one && seen.insert(one->key).second)
      take(*one);
}

bool lends_to(const Reservation& lender, ReservationKey to) {
  return std::any_of(lender.lent.begin(), lender.lent.end(),
                     [&](const Loan& loan) { return loan.to == to; });
}

} // namespace

bool borrows(const Snapshot& state, const Reservation& reservation) {
  bool any = false;
  each_named(state, reservation.request.room_of,
             [&](const Reservation& lender) { any = any || lends_to(lender, reservation.key); });
  return any;
}

bool may_lend(const Snapshot& state, const Reservation& reservation) {
  const auto& request = reservation.request;
  return reservation.is_granted() && !request.maintenance && !request.preempts &&
         !borrows(state, reservation);
}

namespace {

// What one reservation has left of each place over time.
class RoomToLend {
public:
  RoomToLend(const Snapshot& state, const Reservation& lender)
      : state_(state), lender_(lender), inside_(state.ledger_of(lender.key)) {}

  std::vector<BookedPart> run() {
    if (!may_lend(state_, lender_) || !lender_.proposed.empty()) return {};
    for (const auto& [place, amount] : amounts_of(lender_.shape.bookings))
      if (is_lent(place.second)) look_at(place.first, place.second, amount);
    return std::move(found_);
  }

private:
  bool is_lent(const Resource& resource) const {
    const auto* complex = state_.configuration().complexes().find(resource.name);
    return !resource.beside && !(complex && complex->is_exclusive());
  }

  void look_at(const Container& container, const Resource& resource, std::int64_t amount) {
    const auto& window = lender_.shape.window;
    std::set<Instant> moments{window.start, window.end};
    const auto* used = inside_.find(container, resource);
    if (used)
      for (const auto at : used->points())
        if (window.contains(at)) moments.insert(at);
    for (const auto& left : lender_.left_behind)
      if (window.contains(left.until)) moments.insert(left.until);
    each_piece(moments, [&](Window piece) {
      const auto there = amount + left_behind(container, resource, piece);
      const auto free = std::min(amount, there - (used ? used->max(piece) : 0));
      if (free > 0) add({container, resource, free}, piece);
    });
  }

  // Beside the shape: its tasks hold it, too.
  std::int64_t left_behind(const Container& container, const Resource& resource,
                           Window piece) const {
    std::int64_t sum = 0;
    for (const auto& left : lender_.left_behind)
      if (left.until >= piece.end)
        for (const auto& booking : left.bookings)
          if (booking.container == container && booking.resource == resource) sum += booking.amount;
    return sum;
  }

  void add(Booking booking, Window piece) {
    auto* last = found_.empty() ? nullptr : &found_.back();
    if (last && last->window.end == piece.start && last->bookings.front() == booking)
      last->window.end = piece.end;
    else found_.push_back({{std::move(booking)}, piece});
  }

  const Snapshot& state_;
  const Reservation& lender_;
  const Ledger& inside_;
  std::vector<BookedPart> found_;
};

} // namespace

LentRoom::LentRoom(const Snapshot& state, const std::vector<ReservationNumber>& lenders)
    : state_(state), without_(state) {
  each_named(state, lenders, [&](const Reservation& lender) {
    auto room = RoomToLend(state, lender).run();
    for (const auto& part : room) without_.reserve(negated(part.bookings), part.window);
    if (!room.empty()) rooms_.emplace_back(lender.key, std::move(room));
  });
}

std::set<InstanceName> LentRoom::instances() const {
  std::set<InstanceName> names;
  for (const auto& [lender, room] : rooms_)
    for (const auto& grant : state_.reservation(lender)->shape.grants) names.insert(grant.instance);
  return names;
}

namespace {

// What is missing of one place for a reservation, lender after lender.
class Missing {
public:
  Missing(const Supply& supply, const Shape& shape)
      : supply_(supply), window_(shape.window), wanted_(amounts_of(shape.bookings)) {}

  void take(const BookedPart& room, LoanList& loans) {
    const auto& container = room.bookings.front().container;
    const auto& resource = room.bookings.front().resource;
    const auto most = room.bookings.front().amount;
    const auto wanted = wanted_.find({container, resource});
    const auto capacity = supply_.capacity(container, resource);
    const Window window{std::max(window_.start, room.window.start),
                        std::min(window_.end, room.window.end)};
    if (wanted == wanted_.end() || !capacity || window.start >= window.end) return;
    auto moments = lent_.changes(container, resource, window);
    moments.insert({window.start, window.end});
    each_piece(moments, [&](Window piece) {
      const auto rest = wanted->second - lent_.left(container, resource, piece);
      const auto above = supply_.used(container, resource, piece) + rest - *capacity;
      const auto amount = std::min({most, rest, above});
      if (amount <= 0) return;
      loans.add(container, resource, piece, amount);
      lent_.add({{container, resource, amount}}, piece);
    });
  }

private:
  const Supply& supply_;
  const Window window_;
  const Amounts wanted_;
  Room lent_;
};

} // namespace

std::vector<LentBy> LentRoom::loans(ReservationKey to, const Shape& shape) const {
  const auto supply = Supply::of_reservations(state_, false);
  Missing missing(supply, shape);
  std::vector<LentBy> found;
  for (const auto& [lender, room] : rooms_) {
    LoanList loans(to);
    for (const auto& part : room) missing.take(part, loans);
    if (auto list = loans.loans(); !list.empty()) found.push_back({lender, std::move(list)});
  }
  return found;
}

std::int64_t held_by_lenders(const Snapshot& state, const Reservation& reservation,
                             const Booking& booking, Instant now) {
  std::int64_t held = 0;
  const auto amount_in = [&](const std::vector<Booking>& bookings) {
    std::int64_t sum = 0;
    for (const auto& one : bookings)
      if (one.container == booking.container && one.resource == booking.resource) sum += one.amount;
    return sum;
  };
  each_named(state, reservation.request.room_of, [&](const Reservation& lender) {
    std::int64_t lent = 0;
    for (const auto& loan : lender.lent)
      if (loan.to == reservation.key && loan.window.contains(now)) lent += amount_in(loan.bookings);
    if (lent == 0) return;
    auto there = amount_in(lender.shape.bookings);
    for (const auto& left : lender.left_behind) there += amount_in(left.bookings);
    const auto used = state.ledger_of(lender.key)
                          .used(booking.container, booking.resource, {now, now + Duration{1}});
    held += std::clamp<std::int64_t>(used - there, 0, lent);
  });
  return held;
}

} // namespace almanac
