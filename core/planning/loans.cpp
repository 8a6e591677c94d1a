#include "core/planning/loans.hpp"

#include "core/planning/tasks_inside.hpp"
#include "core/reservation/loan_room.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac::rules {

namespace {

// When the task ends by its limit, however long it is booked.
Instant end_of(const State& state, const Task& task) {
  if (task.limit.is_endless()) return task.booked.end;
  const auto offset = state.configuration().scheduler().duration_offset;
  return std::min(task.booked.end, task.booked.start + task.limit + offset);
}

// Of what is booked beside its shape its tasks hold as much.
void add_room_beside_tasks(const State& state, const Reservation& lender, Room& room) {
  room.add(lender.shape.bookings, lender.shape.window);
  for (const auto& left : lender.left_behind)
    room.add(left.bookings, window_of(left, lender.shape));
  each_task_inside(state, lender, [&](const Job&, const Task& task) {
    room.take(task.bookings, {task.booked.start, end_of(state, task)});
  });
}

// What it has booked, and what its tasks hold if that is more: they may be where it has nothing any
// more.
void add_booked(const State& state, const Reservation& borrower, Room& room) {
  std::vector<BookedPart> booked;
  each_booked(borrower, [&](const std::vector<Booking>& bookings, Window window, Claim claim) {
    if (claim != Claim::spare) booked.push_back({bookings, window, claim});
  });
  Shape held;
  held.window = {borrower.shape.window.start, Instant::never()};
  each_task_inside(state, borrower, [&](const Job&, const Task& task) {
    held.bookings.insert(held.bookings.end(), task.bookings.begin(), task.bookings.end());
  });
  if (!held.bookings.empty()) booked = larger(booked, held);
  for (const auto& part : booked) room.add(part.bookings, part.window);
}

// What the borrower has beside what others lend it.
Room room_of(const State& state, const Reservation& borrower, ReservationKey lender) {
  Room room;
  add_booked(state, borrower, room);
  std::set<ReservationKey> seen{lender};
  for (const auto number : borrower.request.room_of) {
    const auto* other = state.reservation_by_number(number);
    if (!other || !seen.insert(other->key).second) continue;
    for (const auto& loan : other->lent)
      if (loan.to == borrower.key) room.take(loan.bookings, loan.window);
  }
  return room;
}

} // namespace

std::vector<Loan> kept_loans(const State& state, const Reservation& lender) {
  if (!lender.is_granted()) return {};
  Room whole, beside_tasks;
  whole.add(lender.shape.bookings, lender.shape.window);
  add_room_beside_tasks(state, lender, beside_tasks);
  std::map<ReservationKey, Room> borrowers;
  for (const auto& loan : lender.lent)
    if (!borrowers.contains(loan.to))
      if (const auto* borrower = state.reservation(loan.to))
        borrowers.emplace(loan.to, room_of(state, *borrower, lender.key));
  return almanac::kept_loans(lender.lent, {&whole, &beside_tasks}, borrowers);
}

void lend(State& state, const std::vector<LentBy>& loans) {
  for (const auto& by : loans)
    state.edit<Reservation>(by.lender, [&](Reservation& lender) {
      lender.lent.insert(lender.lent.end(), by.loans.begin(), by.loans.end());
    });
}

} // namespace almanac::rules
