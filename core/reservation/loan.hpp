// What a reservation lends of its room to another one (spec/metascheduler.md M3.13, M4.11).
//
// 1. The borrower books all that it has. The lender books what it has less what it lends, in the time
//    of the loan; so nothing is booked twice, and the borrower loses nothing when the lender ends.
// 2. A loan is at each moment and place within what the lender has beside its own tasks, and within
//    what the borrower has. When either of them has less, the loan is less; it never grows.
#pragma once

#include "core/reservation/shape.hpp"
#include "core/reservation/transaction.hpp"

#include <vector>

namespace almanac {

/// One of several, of the same borrower also: each window has its own amounts.
struct Loan {
  ReservationKey to;
  Window window;
  std::vector<Booking> bookings; ///< in the order of containers and resources, each once
  std::vector<Grant> grants;     ///< slots of queue instances among them
  bool operator==(const Loan&) const = default;
};
template <class V> void describe(V& visit, Loan& l) {
  visit("to", l.to);
  visit("window", l.window);
  visit("bookings", l.bookings);
  visit("grants", l.grants);
}

/// The same amounts below 0: for who looks at what there would be without them.
std::vector<Booking> negated(std::vector<Booking> bookings);

/// What is booked less what is lent of it; what is booked for spare hosts is not lent.
std::vector<BookedPart> without_lent(const std::vector<BookedPart>& parts,
                                     const std::vector<Loan>& lent);

} // namespace almanac
