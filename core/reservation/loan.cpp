#include "core/reservation/loan.hpp"

#include "core/base/pieces.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace almanac {

std::vector<Booking> negated(std::vector<Booking> bookings) {
  for (auto& booking : bookings) booking.amount = -booking.amount;
  return bookings;
}

namespace {

Amounts lent_in(const std::vector<Loan>& lent, Window window) {
  Amounts amounts;
  for (const auto& loan : lent)
    if (loan.window.overlaps(window))
      for (const auto& booking : loan.bookings)
        amounts[{booking.container, booking.resource}] += booking.amount;
  return amounts;
}

// What is lent is taken from the first ones that have it.
void take_lent(std::vector<BookedPart>& parts, Amounts lent) {
  for (auto& part : parts) {
    for (auto& [container, resource, amount] : part.bookings) {
      const auto it = lent.find({container, resource});
      if (it == lent.end()) continue;
      const auto less = std::min(amount, it->second);
      amount -= less, it->second -= less;
    }
    std::erase_if(part.bookings, [](const Booking& booking) { return booking.amount <= 0; });
  }
}

} // namespace

// All of them are cut at the same moments: what is lent in a piece is taken once.
std::vector<BookedPart> without_lent(const std::vector<BookedPart>& parts,
                                     const std::vector<Loan>& lent) {
  std::set<Instant> moments;
  for (const auto& loan : lent) moments.insert({loan.window.start, loan.window.end});
  for (const auto& part : parts)
    if (part.claim != Claim::spare) moments.insert({part.window.start, part.window.end});
  std::vector<BookedPart> booked;
  if (moments.size() > 1)
    each_piece(moments, [&](Window window) {
      std::vector<BookedPart> there;
      for (const auto& part : parts)
        if (part.claim != Claim::spare && part.window.overlaps(window))
          there.push_back({part.bookings, window, part.claim});
      take_lent(there, lent_in(lent, window));
      for (auto& piece : there)
        if (!piece.bookings.empty()) booked.push_back(std::move(piece));
    });
  for (const auto& part : parts)
    if (part.claim == Claim::spare) booked.push_back(part);
  return booked;
}

} // namespace almanac
