// How much of what is lent may stay so (loan.hpp): the room of lender and borrower over time.
#pragma once

#include "core/reservation/loan.hpp"
#include "core/utilization/ledger.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace almanac {

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
