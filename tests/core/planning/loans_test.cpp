// Reservations that use room of others (spec/metascheduler.md M3.13, M4.11, M4.23, M8.14).
#include "lending_fixture.hpp"

using namespace almanac;

namespace {

// Four hosts of one slot; advance reservation 1 has two of them in [now + 200, now + 300).
class GivenALender : public LendingFixture {
public:
  void SetUp() override {
    hosts(4, 1);
    scheduler({{"params", "DURATION_OFFSET=0"}});
    allow("alice");
    lender_ = reserve(root, slots(2, 200, 100));
    ASSERT_EQ(lender_, 1);
  }
  ReservationRequest slots(std::int64_t count, std::int64_t in, std::int64_t length) const {
    return on_pe(window(begin.seconds + in, length), "fill", count);
  }
  /// One that may use room of the lender.
  std::int64_t borrow(std::int64_t count, std::int64_t in, std::int64_t length) {
    const auto answer = command(root, using_room_of(slots(count, in, length), {{1}}));
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    return answer.number;
  }
  std::int64_t try_to_borrow(std::int64_t count, std::int64_t in, std::int64_t length) {
    return status(root, using_room_of(slots(count, in, length), {{1}}));
  }
  Instant at(std::int64_t after) const { return begin + Duration{after}; }
  void go_to(std::int64_t after) { now = at(after); }
  void expect_kept() const {
    EXPECT_TRUE(is_within_capacity());
    EXPECT_TRUE(books_agree());
  }

  const Instant begin{1'000'000};

private:
  std::int64_t lender_ = 0;
};

} // namespace

// M4.23 M4.13
TEST_F(GivenALender, WhenItsRoomMayBeUsedThenStartsInItsTimeAreFeasible) {
  StartsQuery query;
  query.request.duration = {100}, query.request.has_duration = true;
  query.request = on_pe(query.request, "fill", 3);
  query.search.latest = at(1000);
  const auto ranges = [&] {
    const auto answer = ask(AskStarts{root, query});
    std::string all;
    for (const auto& said : answer.statements)
      all += std::to_string(said.find("first")->number - begin.seconds) + "," +
             std::to_string(said.find("last")->number - begin.seconds) + " ";
    return all;
  };
  EXPECT_EQ(ranges(), "0,100 300,1000 ");
  query.request.room_of = {{1}};
  EXPECT_EQ(ranges(), "0,1000 ");
  query.request.slots = {{5, 5}};
  EXPECT_EQ(ranges(), "");
}

// M4.11
TEST_F(GivenALender, WhenSomebodyBorrowsThenOnlyWhatIsMissingIsLentAndInTheTimeOfBoth) {
  EXPECT_EQ(status(root, using_room_of(slots(3, 250, 100), {})), -30);
  const auto borrower = borrow(3, 250, 100);
  EXPECT_EQ(lent(1, at(249)), 0);
  EXPECT_EQ(lent(1, at(250)), 1);
  EXPECT_EQ(lent(1, at(299)), 1);
  EXPECT_EQ(lent(1, at(300)), 0);
  EXPECT_EQ(reservation(borrower).shape.slots(), 3);
  EXPECT_EQ(reservation(1).shape.slots(), 2) << "it has what it was granted";
  EXPECT_EQ(booked(at(240)), 2);
  EXPECT_EQ(booked(at(260)), 4);
  EXPECT_EQ(booked(at(310)), 3);
  EXPECT_EQ(try_to_borrow(2, 250, 100), -30) << "one is left of it, and nothing beside";
  expect_kept();
}

TEST_F(GivenALender, WhenThereIsRoomBesideThenNothingIsLent) {
  borrow(2, 250, 100);
  EXPECT_TRUE(reservation(1).lent.empty());
  expect_kept();
}

// M8.14
TEST_F(GivenALender, WhenItIsUnknownOrNotOpenToTheUserThenItIsRefused) {
  EXPECT_EQ(status(root, using_room_of(slots(1, 250, 100), {{9}})), -33);
  EXPECT_EQ(status(alice, using_room_of(slots(3, 200, 100), {{1}})), -33) << "it is root's";
  auto open = slots(1, 500, 100);
  open.users = {"alice"};
  const auto number = reserve(root, open);
  EXPECT_EQ(status(alice, using_room_of(slots(4, 500, 100), {{number}})), 0);
  EXPECT_EQ(lent(number, at(550)), 1);
  auto plain = slots(1, 700, 100);
  plain.room_of = {{1}};
  EXPECT_NE(command(root, Reserve{plain}).exit_code, 0) << "qrsub has no option for it";
  PrepareReservation change;
  change.number = {1}, change.transaction = "t", change.request.room_of = {{number}};
  EXPECT_NE(command(root, change).exit_code, 0) << "a change borrows nothing";
  expect_kept();
}

// Loans do not depend on other loans.
TEST_F(GivenALender, WhenItUsesRoomOfAnotherOneThenItLendsNothing) {
  const auto borrower = borrow(3, 200, 100);
  EXPECT_EQ(status(root, using_room_of(slots(1, 200, 100), {{borrower}})), -33);
  remove(1);
  EXPECT_EQ(status(root, using_room_of(slots(2, 200, 100), {{borrower}})), 0)
      << "it has all of its own now";
  expect_kept();
}

TEST_F(GivenALender, WhenTheBorrowerEndsThenItHasItsRoomBack) {
  const auto borrower = borrow(3, 200, 100);
  ASSERT_EQ(lent(1, at(200)), 1);
  remove(borrower);
  EXPECT_TRUE(reservation(1).lent.empty());
  EXPECT_EQ(booked(at(200)), 2);
  EXPECT_EQ(try_to_borrow(3, 200, 100), 0);
  expect_kept();
}

TEST_F(GivenALender, WhenItEndsThenTheBorrowerKeepsWhatItHas) {
  const auto borrower = borrow(3, 200, 100);
  remove(1);
  EXPECT_EQ(booked(at(200)), 3);
  EXPECT_EQ(reservation(borrower).shape.slots(), 3);
  EXPECT_EQ(status(root, using_room_of(slots(2, 200, 100), {})), -30);
  EXPECT_EQ(status(root, using_room_of(slots(1, 200, 100), {})), 0);
  expect_kept();
}

TEST_F(GivenALender, WhenItIsCanceledThenTheBorrowerKeepsWhatItHas) {
  borrow(3, 200, 100);
  PrepareReservation cancel;
  cancel.transaction = "t", cancel.number = {1}, cancel.verb = ReservationVerb::cancel,
  cancel.hold_for = {};
  ASSERT_EQ(command(root, cancel).exit_code, 0);
  const auto* canceled = planner.state().reservation_by_number({1});
  EXPECT_TRUE(!canceled || canceled->lent.empty());
  EXPECT_EQ(booked(at(200)), 3);
  expect_kept();
}

// plus.md section 4, rule 7: what is held lapses.
TEST_F(GivenALender, WhenWhatIsHeldIsAbortedThenItHasItsRoomBack) {
  auto held = using_room_of(slots(3, 200, 100), {{1}});
  held.prepare.hold_for = {60}, held.prepare.transaction = "t";
  const auto number = command(root, held).number;
  ASSERT_GT(number, 0);
  EXPECT_EQ(lent(1, at(200)), 1);
  EXPECT_EQ(booked(at(200)), 4);
  ASSERT_EQ(command(root, SettleReservation{"t", {number}, false}).exit_code, 0);
  EXPECT_TRUE(reservation(1).lent.empty());
  expect_kept();
}

TEST_F(GivenALender, WhenWhatIsHeldIsCommittedThenTheLoanStays) {
  auto held = using_room_of(slots(3, 200, 100), {{1}});
  held.prepare.hold_for = {60}, held.prepare.transaction = "t";
  const auto number = command(root, held).number;
  ASSERT_EQ(command(root, SettleReservation{"t", {number}, true}).exit_code, 0);
  EXPECT_EQ(lent(1, at(200)), 1);
  EXPECT_EQ(booked(at(200)), 4);
  expect_kept();
}

TEST_F(GivenALender, WhenItIsProlongedThenItGoesOnLending) {
  borrow(3, 200, 100);
  AlterReservation longer;
  longer.number = {1}, longer.options = {"-e"}, longer.request.end = at(400);
  const auto answer = command(root, longer);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(reservation(1).shape.slots(), 2);
  EXPECT_EQ(lent(1, at(250)), 1);
  EXPECT_EQ(lent(1, at(350)), 0);
  EXPECT_EQ(booked(at(250)), 4);
  expect_kept();
}

TEST_F(GivenALender, WhenItMovesAwayThenTheBorrowerKeepsWhatItHas) {
  borrow(3, 200, 100);
  AlterReservation later;
  later.number = {1}, later.options = {"-a", "-e"};
  later.request.start = at(400), later.request.end = at(500);
  ASSERT_EQ(command(root, later).exit_code, 0);
  EXPECT_TRUE(reservation(1).lent.empty());
  EXPECT_EQ(booked(at(250)), 3);
  EXPECT_EQ(booked(at(450)), 2);
  expect_kept();
}

TEST_F(GivenALender, WhenTheBorrowerIsShortenedThenTheRestIsGivenBack) {
  const auto borrower = borrow(3, 200, 100);
  AlterReservation shorter;
  shorter.number = {borrower}, shorter.options = {"-e"}, shorter.request.end = at(250);
  const auto answer = command(root, shorter);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(lent(1, at(240)), 1);
  EXPECT_EQ(lent(1, at(250)), 0);
  EXPECT_EQ(booked(at(260)), 2);
  expect_kept();
}

TEST_F(GivenALender, WhenJobsRunInBothThenNoSlotIsUsedTwice) {
  const auto borrower = borrow(3, 200, 100);
  go_to(200), due(1), due(borrower);
  for (int i = 0; i < 4; ++i) submit_into(root, 1, "50"), submit_into(root, borrower, "50");
  pass();
  EXPECT_EQ(used_in(1), 1);
  EXPECT_EQ(used_in(borrower), 3);
  remove(borrower);
  pass();
  EXPECT_EQ(used_in(1), 1) << "jobs of the borrower are being ended";
  expect_kept();
}

// What jobs in the lender hold at that time is not lent.
TEST_F(GivenALender, WhenItsJobsHoldItsRoomThenThatIsNotLent) {
  go_to(200), due(1);
  submit_into(root, 1, "50");
  pass();
  EXPECT_EQ(try_to_borrow(3, 200, 50), 0) << "one of two";
  remove(2);
  submit_into(root, 1, "50");
  pass();
  ASSERT_EQ(used_in(1), 2);
  EXPECT_EQ(try_to_borrow(3, 200, 50), -30);
  EXPECT_EQ(try_to_borrow(3, 230, 50), -30);
  EXPECT_EQ(try_to_borrow(3, 250, 50), 0) << "they end by then";
  expect_kept();
}

TEST_F(GivenALender, WhenAChangeOfItIsPreparedThenNothingMoreIsLent) {
  PrepareReservation change;
  change.number = {1}, change.transaction = "t", change.hold_for = {60};
  change.request.end = at(350);
  ASSERT_EQ(command(root, change).exit_code, 0);
  EXPECT_EQ(try_to_borrow(3, 200, 100), -30);
  ASSERT_EQ(command(root, SettleReservation{"t", {1}, false}).exit_code, 0);
  EXPECT_EQ(try_to_borrow(3, 200, 100), 0);
  expect_kept();
}

TEST_F(GivenALender, WhenTheMasterRestartsThenLoansAreAsTheyWere) {
  borrow(3, 200, 100);
  const auto digest = planner.state().digest();
  planner = *Planner::restore(planner.state().records().copy());
  EXPECT_EQ(planner.state().digest(), digest);
  tell(Restarted{});
  EXPECT_EQ(booked(at(250)), 4);
  expect_kept();
}
