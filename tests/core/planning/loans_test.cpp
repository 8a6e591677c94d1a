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

// M4.11, M4.24, M1.9
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

// M4.24
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

// M4.29: loans do not depend on other loans.
TEST_F(GivenALender, WhenItUsesRoomOfAnotherOneThenItLendsNothing) {
  const auto borrower = borrow(3, 200, 100);
  EXPECT_EQ(status(root, using_room_of(slots(1, 200, 100), {{borrower}})), -33);
  remove(1);
  EXPECT_EQ(status(root, using_room_of(slots(2, 200, 100), {{borrower}})), 0)
      << "it has all of its own now";
  expect_kept();
}

// M4.28
TEST_F(GivenALender, WhenTheBorrowerEndsThenItHasItsRoomBack) {
  const auto borrower = borrow(3, 200, 100);
  ASSERT_EQ(lent(1, at(200)), 1);
  remove(borrower);
  EXPECT_TRUE(reservation(1).lent.empty());
  EXPECT_EQ(booked(at(200)), 2);
  EXPECT_EQ(try_to_borrow(3, 200, 100), 0);
  expect_kept();
}

// M4.27
TEST_F(GivenALender, WhenItEndsThenTheBorrowerKeepsWhatItHas) {
  const auto borrower = borrow(3, 200, 100);
  remove(1);
  EXPECT_EQ(booked(at(200)), 3);
  EXPECT_EQ(reservation(borrower).shape.slots(), 3);
  EXPECT_EQ(status(root, using_room_of(slots(2, 200, 100), {})), -30);
  EXPECT_EQ(status(root, using_room_of(slots(1, 200, 100), {})), 0);
  expect_kept();
}

// M4.27
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

// M4.28; plus.md section 4, rule 7: what is held lapses.
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

// M4.30
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

// M4.27
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

// M4.28
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

// M4.26, M4.28
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

// M4.25: what jobs in the lender hold at that time is not lent.
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

// M4.29
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

// M4.29
TEST_F(GivenALender, WhenItIsHeldOrOverOrPreemptsOrIsAMaintenanceThenItLendsNothing) {
  const auto lends = [&](std::int64_t number, std::int64_t in) {
    return status(root, using_room_of(slots(1, in, 10), {{number}}));
  };
  PrepareReservation held;
  held.transaction = "h", held.request = slots(1, 500, 100), held.hold_for = {60};
  const auto number = command(root, held).number;
  EXPECT_EQ(lends(number, 500), -33);
  ASSERT_EQ(command(root, SettleReservation{"h", {number}, true}).exit_code, 0);
  EXPECT_EQ(lends(number, 500), 0);
  PrepareReservation preempting;
  preempting.transaction = "p", preempting.hold_for = {};
  preempting.request = window(begin.seconds + 700, 100);
  preempting.request.nodes = 1, preempting.request.node_slots = 1;
  preempting.request.preempts = true;
  const auto second = command(root, preempting);
  ASSERT_EQ(second.exit_code, 0) << text(second);
  EXPECT_EQ(lends(second.number, 700), -33);
  auto maintenance = window(begin.seconds + 900, 100);
  maintenance.maintenance = true, maintenance.hosts = {"h4"};
  EXPECT_EQ(lends(reserve(root, maintenance), 900), -33);
  go_to(200), due(1), go_to(300), due(1);
  EXPECT_EQ(lends(1, 310), -33) << "it is over";
  expect_kept();
}

// M4.30: what a borrower has is all that it ever borrows
TEST_F(GivenALender, WhenTheBorrowerAsksForMoreThenOnlyRoomThatIsFreeIsGiven) {
  const auto borrower = borrow(3, 250, 100);
  AlterReservation change;
  change.number = {borrower}, change.options = {"-a"}, change.request.start = at(220);
  EXPECT_EQ(command(root, change).exit_code, 1) << "from 220 to 250 one slot is missing";
  EXPECT_EQ(lent(1, at(230)), 0);
  change.options = {"-e"}, change.request = {}, change.request.end = at(400);
  const auto longer = command(root, change);
  EXPECT_EQ(longer.exit_code, 0) << text(longer);
  EXPECT_EQ(lent(1, at(260)), 1) << "what it has it keeps";
  change.options = {"-pe"}, change.request = on_pe({}, "fill", 4);
  EXPECT_EQ(command(root, change).exit_code, 1);
  EXPECT_EQ(lent(1, at(260)), 1);
  expect_kept();
}

// M4.27: it has less
TEST_F(GivenALender, WhenItIsShortenedThenItLendsLessAndTheBorrowerKeepsWhatItHas) {
  const auto borrower = borrow(3, 200, 100);
  AlterReservation shorter;
  shorter.number = {1}, shorter.options = {"-e"}, shorter.request.end = at(250);
  ASSERT_EQ(command(root, shorter).exit_code, 0);
  EXPECT_EQ(lent(1, at(240)), 1);
  EXPECT_EQ(lent(1, at(260)), 0);
  EXPECT_EQ(reservation(borrower).shape.slots(), 3);
  EXPECT_EQ(booked(at(240)), 4);
  EXPECT_EQ(booked(at(260)), 3);
  expect_kept();
}

// M4.31
TEST_F(GivenALender, WhenItHasExclusiveResourcesOrSpareHostsThenThoseAreNotLent) {
  auto spared = slots(2, 500, 100);
  spared.spare = 1;
  const auto number = reserve(root, spared);
  EXPECT_EQ(status(root, using_room_of(slots(4, 500, 100), {{number}})), -30) << "the spare host";
  EXPECT_EQ(status(root, using_room_of(slots(3, 500, 100), {{number}})), 0);
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("alone", "al BOOL EXCL YES YES 0 0");
  change(table);
  for (const auto* host : {"h1", "h2", "h3", "h4"})
    change({ObjectKind::exec_host, host, {{"complex_values", "alone=TRUE"}}});
  auto whole = slots(2, 700, 100);
  whole.resources = {{"alone", "TRUE"}};
  const auto exclusive = reserve(root, whole);
  EXPECT_EQ(status(root, using_room_of(slots(3, 700, 100), {{exclusive}})), -30);
  auto wish = slots(3, 700, 100);
  wish.resources = {{"alone", "TRUE"}};
  EXPECT_EQ(status(root, using_room_of(wish, {{exclusive}})), -30);
  expect_kept();
}

// M4.31
TEST_F(GivenALender, WhenAHostOfItIsToCloseThenNeitherItNorItsBorrowerMoves) {
  const auto borrower = borrow(3, 200, 100);
  const auto lender_was = places(1), borrower_was = places(borrower);
  for (const auto* host : {"h1", "h2", "h3", "h4"}) {
    auto maintenance = window(begin.seconds + 200, 100);
    maintenance.maintenance = true, maintenance.hosts = {host};
    const auto answer = command(root, Reserve{maintenance});
    EXPECT_EQ(answer.exit_code, 1) << host;
    EXPECT_TRUE(says(answer, "cannot move")) << text(answer);
  }
  EXPECT_EQ(places(1) + "/" + places(borrower), lender_was + "/" + borrower_was);
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
