#include "core/reservation/loan_room.hpp"

#include "core/base/pieces.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

// ---- what there is over time --------------------------------------------------------------------

void Room::add(const std::vector<Booking>& bookings, Window window) {
  taken_.book(negated(bookings), window);
}

void Room::take(const std::vector<Booking>& bookings, Window window) {
  taken_.book(bookings, window);
}

std::int64_t Room::left(const Container& container, const Resource& resource, Window window) const {
  const auto* taken = taken_.find(container, resource);
  return taken ? std::max<std::int64_t>(0, -taken->max(window)) : 0;
}

std::set<Instant> Room::changes(const Container& container, const Resource& resource,
                                Window window) const {
  std::set<Instant> found;
  if (const auto* taken = taken_.find(container, resource))
    for (const auto at : taken->points())
      if (at > window.start && at < window.end) found.insert(at);
  return found;
}

// ---- loans --------------------------------------------------------------------------------------

void LoanList::add(const Container& container, const Resource& resource, Window window,
                   std::int64_t amount) {
  if (amount <= 0 || window.start >= window.end) return;
  auto& there = places_[{container, resource}];
  const bool goes_on =
      !there.empty() && there.back().first.end == window.start && there.back().second == amount;
  if (goes_on) there.back().first.end = window.end;
  else there.emplace_back(window, amount);
}

std::vector<Loan> LoanList::loans() const {
  std::map<std::pair<Instant, Instant>, Loan> by_window;
  for (const auto& [place, lent] : places_)
    for (const auto& [window, amount] : lent) {
      auto& loan = by_window[{window.start, window.end}];
      loan.to = to_, loan.window = window;
      loan.bookings.push_back({place.first, place.second, amount});
      if (place.first.kind != Container::Kind::queue || place.second != Resource("slots")) continue;
      if (const auto instance = InstanceName::parse(place.first.name))
        loan.grants.push_back({*instance, amount});
    }
  std::vector<Loan> loans;
  for (auto& [window, loan] : by_window) loans.push_back(std::move(loan));
  return loans;
}

namespace {

// What of the booking stays lent, over the time of its loan.
void keep(const Booking& booking, Window window, const std::vector<Room*>& rooms, LoanList& kept) {
  std::set<Instant> moments{window.start, window.end};
  for (const auto* room : rooms)
    moments.merge(room->changes(booking.container, booking.resource, window));
  each_piece(moments, [&](Window piece) {
    auto part = booking;
    for (const auto* room : rooms)
      part.amount = std::min(part.amount, room->left(part.container, part.resource, piece));
    if (part.amount <= 0) return;
    kept.add(part.container, part.resource, piece, part.amount);
    for (auto* room : rooms) room->take({part}, piece);
  });
}

} // namespace

std::vector<Loan> kept_loans(const std::vector<Loan>& lent, std::vector<Room*> lender,
                             std::map<ReservationKey, Room>& borrowers) {
  std::map<ReservationKey, LoanList> kept;
  for (const auto& loan : lent) {
    auto rooms = lender;
    rooms.push_back(&borrowers[loan.to]);
    auto& list = kept.try_emplace(loan.to, loan.to).first->second;
    for (const auto& booking : loan.bookings) keep(booking, loan.window, rooms, list);
  }
  std::vector<Loan> loans;
  for (const auto& [to, list] : kept)
    for (auto& loan : list.loans()) loans.push_back(std::move(loan));
  return loans;
}

} // namespace almanac
