#include "core/monitor/loan_watch.hpp"

#include "core/reservation/loan_room.hpp"

#include <algorithm>

namespace almanac {

namespace {

// A task ends by its limit, however long it is booked.
Window window_of(const Task& task, Duration offset) {
  const auto end = task.limit.is_endless()
                       ? task.booked.end
                       : std::min(task.booked.end, task.booked.start + task.limit + offset);
  return {task.booked.start, end};
}

} // namespace

std::optional<std::string> broken_loan(const Records& records, const Reservation& lender,
                                       const std::vector<const Task*>& tasks) {
  if (lender.lent.empty()) return std::nullopt;
  const auto named = "reservation " + to_string(lender.number);
  if (!lender.is_granted()) return named + " lends room and is not in force";
  Room whole, beside_tasks;
  for (auto* room : {&whole, &beside_tasks}) room->add(lender.shape.bookings, lender.shape.window);
  for (const auto& left : lender.left_behind)
    beside_tasks.add(left.bookings, window_of(left, lender.shape));
  const auto offset = records.configuration().scheduler().duration_offset;
  for (const auto* task : tasks) beside_tasks.take(task->bookings, window_of(*task, offset));
  for (const auto& loan : lender.lent) {
    const auto* borrower = records.find<Reservation>(loan.to);
    if (!borrower) return named + " lends room to a reservation that is gone";
    for (const auto& booking : loan.bookings) {
      for (auto* room : {&whole, &beside_tasks})
        if (room->left(booking.container, booking.resource, loan.window) < booking.amount)
          return named + " lends " + std::to_string(booking.amount) + " " +
                 booking.resource.text() + " of " + booking.container.text() + " to reservation " +
                 to_string(borrower->number) + ", and has less beside its jobs";
      for (auto* room : {&whole, &beside_tasks}) room->take({booking}, loan.window);
    }
  }
  return std::nullopt;
}

} // namespace almanac
