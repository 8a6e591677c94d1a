// What a reservation lends of its room to another one (spec/metascheduler.md M3.13, M4.11).
//
// 1. The borrower books all that it has. The lender books what it has less what it lends, in the time
//    of the loan; so nothing is booked twice, and the borrower loses nothing when the lender ends.
// 2. A loan is at each moment and place within what the lender has beside its own tasks, and within
//    what the borrower has. When either of them has less, the loan is less; it never grows.
#pragma once

#include "core/reservation/transaction.hpp"
#include "core/utilization/ledger.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
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

/// What there is of something over time, less what is taken of it.
class Room {
public:
  void add(const std::vector<Booking>& bookings, Window window);
  void take(const std::vector<Booking>& bookings, Window window);
  /// At any time of the window; not less than 0.
  std::int64_t left(const Container& container, const Resource& resource, Window window) const;
  /// The moments within the window at which that may change.
  std::set<Instant> changes(const Container& container, const Resource& resource,
                            Window window) const;

private:
  Ledger taken_; ///< below 0: it is there
};

/// Puts together what is lent to somebody, place by place.
class LoanList {
public:
  explicit LoanList(ReservationKey to) : to_(to) {}
  /// What is lent of one place follows by time.
  void add(const Container& container, const Resource& resource, Window window,
           std::int64_t amount);
  /// Each window once, in their order.
  std::vector<Loan> loans() const;

private:
  ReservationKey to_;
  std::map<std::pair<Container, Resource>, std::vector<std::pair<Window, std::int64_t>>> places_;
};

/// What stays lent where there is so much room: of the lender in each of `lender`, and of the borrowers
/// by their keys. All of it is taken from these rooms. Without a room nobody borrows any more.
std::vector<Loan> kept_loans(const std::vector<Loan>& lent, std::vector<Room*> lender,
                             std::map<ReservationKey, Room>& borrowers);

} // namespace almanac
