// What a reservation lends, over time and by place (spec/metascheduler.md M4.11).
#include "core/reservation/loan_room.hpp"
#include "core/reservation/reservation.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace almanac;

namespace {

constexpr ReservationKey borrower{7}, other{8};

std::vector<Booking> slots(std::int64_t amount, const std::string& host = "h1") {
  return {{Container::queue({"all.q", host}), Resource("slots"), amount}};
}
Loan loan(Window window, std::int64_t amount, ReservationKey to = borrower) {
  return {to, window, slots(amount), {{{"all.q", "h1"}, amount}}};
}
std::string text(const std::vector<BookedPart>& parts) {
  std::string text;
  for (const auto& part : parts)
    for (const auto& booking : part.bookings)
      text += std::to_string(part.window.start.seconds) + "-" +
              std::to_string(part.window.end.seconds) + ":" + std::to_string(booking.amount) + " ";
  return text;
}
std::string text(const std::vector<Loan>& loans) {
  std::vector<BookedPart> parts;
  for (const auto& one : loans) parts.push_back({one.bookings, one.window});
  return text(parts);
}
Room room(Window window, std::int64_t amount) {
  Room room;
  room.add(slots(amount), window);
  return room;
}

} // namespace

TEST(GivenAReservationThatLends, WhenItsBookingsAreAskedForThenTheyAreLessInTheTimeOfTheLoan) {
  Reservation lender;
  lender.phase = ReservationPhase::waiting;
  lender.shape.window = {{0}, {10}}, lender.shape.bookings = slots(4);
  lender.lent = {loan({{2}, {5}}, 3), loan({{4}, {6}}, 1, other)};
  std::vector<BookedPart> booked;
  each_booked(lender, [&](const auto& bookings, Window window, Claim claim) {
    booked.push_back({bookings, window, claim});
  });
  EXPECT_EQ(text(booked), "0-2:4 2-4:1 5-6:3 6-10:4 ") << "from 4 to 5 all of it is lent";
}

TEST(GivenAReservationThatLends, WhenAChangeIsPreparedThenTheLargerOfBothIsLessToo) {
  Reservation lender;
  lender.phase = ReservationPhase::waiting;
  lender.shape.window = {{0}, {10}}, lender.shape.bookings = slots(4);
  Proposal proposal;
  proposal.shape.window = {{3}, {12}}, proposal.shape.bookings = slots(6);
  lender.proposed = {proposal};
  lender.lent = {loan({{2}, {5}}, 3)};
  std::int64_t at_two = 0, at_four = 0, at_eleven = 0;
  each_booked(lender, [&](const auto& bookings, Window window, Claim) {
    for (const auto& booking : bookings) {
      if (window.contains({2})) at_two += booking.amount;
      if (window.contains({4})) at_four += booking.amount;
      if (window.contains({11})) at_eleven += booking.amount;
    }
  });
  EXPECT_EQ(at_two, 1);
  EXPECT_EQ(at_four, 3);
  EXPECT_EQ(at_eleven, 6);
}

TEST(GivenSpareHostsOfALender, WhenItLendsThenTheyStay) {
  const std::vector<BookedPart> parts{{slots(2), {{0}, {4}}}, {slots(5), {{0}, {4}}, Claim::spare}};
  EXPECT_EQ(text(without_lent(parts, {loan({{0}, {4}}, 2)})), "0-4:5 ");
}

TEST(GivenALoanAlone, WhenALenderHasLessThenItIsCutPieceByPiece) {
  auto whole = room({{0}, {20}}, 4), beside_tasks = room({{0}, {20}}, 4);
  beside_tasks.take(slots(3), {{5}, {8}});
  std::map<ReservationKey, Room> borrowers;
  borrowers[borrower] = room({{0}, {9}}, 2);
  const auto kept = kept_loans({loan({{0}, {10}}, 2)}, {&whole, &beside_tasks}, borrowers);
  EXPECT_EQ(text(kept), "0-5:2 5-8:1 8-9:2 ");
  EXPECT_EQ(kept[1].grants.front().slots, 1);
  EXPECT_EQ(kept[1].to, borrower);
}

TEST(GivenALoanAlone, WhenNothingIsLessThenItStaysAsItIs) {
  auto whole = room({{0}, {20}}, 4);
  std::map<ReservationKey, Room> borrowers;
  borrowers[borrower] = room({{0}, {20}}, 2), borrowers[other] = room({{0}, {20}}, 2);
  const std::vector<Loan> lent{loan({{0}, {10}}, 2), loan({{5}, {15}}, 2, other)};
  EXPECT_EQ(kept_loans(lent, {&whole}, borrowers), lent);
}

TEST(GivenALoanAlone, WhenItsBorrowerIsGoneOrTheLenderHasNothingThenItEnds) {
  auto whole = room({{0}, {20}}, 4);
  std::map<ReservationKey, Room> borrowers;
  EXPECT_TRUE(kept_loans({loan({{0}, {10}}, 2)}, {&whole}, borrowers).empty());
  Room nothing;
  borrowers[borrower] = room({{0}, {20}}, 2);
  EXPECT_TRUE(kept_loans({loan({{0}, {10}}, 2)}, {&nothing}, borrowers).empty());
}

TEST(GivenWhatIsLentOfOnePlace, WhenItFollowsByTimeThenEqualAmountsAreOneLoan) {
  LoanList list(borrower);
  const auto container = Container::queue({"all.q", "h1"});
  list.add(container, "slots", {{0}, {5}}, 2);
  list.add(container, "slots", {{5}, {9}}, 2);
  list.add(container, "slots", {{9}, {12}}, 1);
  list.add(Container::host("h1"), Resource("mem"), {{0}, {9}}, 100);
  const auto loans = list.loans();
  ASSERT_EQ(loans.size(), 2u);
  EXPECT_EQ(loans[0].window, (Window{{0}, {9}}));
  EXPECT_EQ(loans[0].bookings.size(), 2u);
  EXPECT_EQ(loans[0].grants.size(), 1u) << "memory is no slots";
  EXPECT_EQ(loans[1].window, (Window{{9}, {12}}));
}
