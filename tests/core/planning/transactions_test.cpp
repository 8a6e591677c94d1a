// Changes of reservations in two phases (spec/plus.md section 4).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenAPreparedChange : public PlannerFixture {
public:
  static ReservationRequest until(std::int64_t end) {
    ReservationRequest request;
    request.end = {end};
    return request;
  }
  static ReservationRequest slots(std::int64_t slots) {
    return on_pe(ReservationRequest(), "fill", slots);
  }
  Answer prepare(const Caller& caller, std::int64_t number, ReservationRequest request,
                 ReservationVerb verb = ReservationVerb::change, std::int64_t hold_for = 60) {
    return command(caller, PrepareReservation{"t", {number}, verb, std::move(request), {hold_for}});
  }
  Answer settle(const Caller& caller, std::int64_t number, bool commits,
                const std::string& transaction = "t") {
    return command(caller, SettleReservation{transaction, {number}, commits});
  }
  std::int64_t booked(const InstanceName& name, Window window) const {
    return planner.state().ledger().used(Container::queue(name), "slots", window);
  }
  JobRequest inside(std::int64_t number, const std::string& limit = "") const {
    auto request = job("inside", limit);
    request.reservation = {number};
    return request;
  }
  const InstanceName h1{"all.q", "h1"}, h2{"all.q", "h2"};
};

} // namespace

// P4.13, P4.27
TEST_F(GivenAPreparedChange, WhenItProlongsThenBothShapesAreBookedOnce) {
  hosts(1, 4);
  const auto start = now.seconds + 100;
  const auto ar = reserve(root, on_pe(window(start, 100), "fill", 4));
  ASSERT_EQ(prepare(root, ar, until(start + 200)).exit_code, 0) << "it is not in its own way";
  EXPECT_EQ(booked(h1, {{start}, {start + 200}}), 4) << "the larger of both, not their sum";
  EXPECT_EQ(command(root, Reserve{on_pe(window(start + 150, 10), "fill", 1)}).exit_code, 1);
  ASSERT_EQ(settle(root, ar, false).exit_code, 0);
  EXPECT_EQ(booked(h1, {{start + 100}, {start + 200}}), 0);
  EXPECT_EQ(command(root, Reserve{on_pe(window(start + 150, 10), "fill", 1)}).exit_code, 0);
}

// Rule 8
TEST_F(GivenAPreparedChange, WhenItIsSettledAgainThenTheSameIsDoneAndTheOppositeRefused) {
  hosts(1, 4);
  const auto start = now.seconds + 100;
  const auto ar = reserve(root, on_pe(window(start, 10'000), "fill", 2));
  prepare(root, ar, slots(3));
  ASSERT_EQ(settle(root, ar, true).exit_code, 0);
  const auto digest = planner.digest();
  EXPECT_EQ(settle(root, ar, true).exit_code, 0);
  EXPECT_EQ(settle(root, ar, true, "").exit_code, 0) << "the last one";
  EXPECT_EQ(settle(root, ar, false).exit_code, 1);
  EXPECT_EQ(settle(root, ar, true, "other").exit_code, 1);
  EXPECT_EQ(settle(bob, ar, true).exit_code, 1) << "it is not bob's";
  EXPECT_EQ(planner.digest(), digest);
  now = now + Duration{3599};
  EXPECT_EQ(settle(root, ar, true).exit_code, 0);
  now = now + Duration{1};
  EXPECT_EQ(settle(root, ar, true).exit_code, 1) << "it is forgotten after an hour";
}

// P4.24, rule 10
TEST_F(GivenAPreparedChange, WhenANewReservationIsAbortedThenItsNumberIsNotGivenAgainForAnHour) {
  hosts(1, 4);
  const auto new_one = [&] { return on_pe(window(now.seconds + 100, 100), "fill", 4); };
  const auto held = prepare(root, 0, new_one());
  ASSERT_EQ(held.exit_code, 0);
  EXPECT_EQ(letter(held.number), 'h'); // P4.18
  EXPECT_EQ(command(root, Reserve{on_pe(window(now.seconds + 100, 100), "fill", 1)}).exit_code, 1);
  ASSERT_EQ(settle(root, held.number, false).exit_code, 0);
  EXPECT_EQ(letter(held.number), '-');
  EXPECT_EQ(settle(root, held.number, false).exit_code, 0);
  EXPECT_EQ(settle(root, held.number, true).exit_code, 1);
  // The counter wraps to just before it.
  auto records = planner.state().records().copy();
  records.counters.last_reservation_number = held.number - 1;
  planner = *Planner::restore(std::move(records));
  EXPECT_EQ(reserve(root, new_one()), held.number + 1);
  now = now + Duration{3600};
  ASSERT_EQ(prepare(root, 0, new_one()).exit_code, 0);
  settle(root, held.number + 2, false); // forgets what is over
  EXPECT_EQ(planner.state().records().all<SettledTransaction>().size(), 1u);
}

// Rule 7, P4.26
TEST_F(GivenAPreparedChange, WhenItsTimeIsOverThenACommitIsRefusedWhoeverSeesItFirst) {
  hosts(1, 4);
  const auto ar = reserve(root, on_pe(window(now.seconds + 100, 1000), "fill", 2));
  prepare(root, ar, slots(4), ReservationVerb::change, 10);
  now = now + Duration{10};
  EXPECT_EQ(settle(root, ar, true).exit_code, 1) << "before its moment was handed in";
  EXPECT_TRUE(reservation(ar).proposed.empty());
  EXPECT_EQ(settle(root, ar, false).exit_code, 0);
  EXPECT_EQ(booked(h1, {{now.seconds}, Instant::never()}), 2);
}

// Rule 9
TEST_F(GivenAPreparedChange, WhenTheMasterWasAwayThenItEndsBeforeAnythingElseIsServed) {
  hosts(1, 4);
  const auto start = now.seconds + 1000;
  const auto held = prepare(root, 0, on_pe(window(start, 100), "fill", 4));
  const auto kept = command(
      root,
      PrepareReservation{
          "kept", {}, ReservationVerb::change, on_pe(window(start + 100, 100), "fill", 4), {600}});
  planner = *Planner::restore(planner.state().records().copy());
  now = now + Duration{60};
  tell(Restarted{});
  EXPECT_EQ(letter(held.number), '-');
  EXPECT_EQ(letter(kept.number), 'h');
  EXPECT_EQ(settle(root, kept.number, true, "kept").exit_code, 0); // P4.25
  EXPECT_EQ(letter(kept.number), 'w');
}

// Rules 4, 5 and 7e, P3.43
TEST_F(GivenAPreparedChange, WhenOthersInterfereThenOnlyItsRequesterAndManagersMay) {
  hosts(1, 4);
  allow("alice");
  const auto ar = reserve(alice, on_pe(window(now.seconds + 100, 100), "fill", 1));
  ASSERT_EQ(prepare(alice, ar, slots(2)).exit_code, 0);
  EXPECT_EQ(text(prepare(alice, ar, slots(3))),
            "denied: operation pending on advance_reservation \"1\"\n");
  const auto remove = [&](const Caller& caller, std::int64_t number) {
    return command(caller, DeleteReservations{{std::to_string(number)}, {}, false});
  };
  EXPECT_EQ(text(remove(alice, ar)), "denied: operation pending on advance_reservation \"1\"\n");
  EXPECT_EQ(settle(bob, ar, true).exit_code, 1);
  EXPECT_EQ(remove(root, ar).exit_code, 0) << "a manager removes it, and the change is aborted";
  EXPECT_EQ(settle(alice, ar, false).exit_code, 0);
  EXPECT_EQ(settle(alice, ar, true).exit_code, 1);
  const auto own = prepare(alice, 0, on_pe(window(now.seconds + 100, 100), "fill", 1)).number;
  EXPECT_EQ(remove(alice, own).exit_code, 0) << "one's own that is only held";
  EXPECT_EQ(letter(own), '-');
}

// spec/beyond.md B0.41
TEST_F(GivenAPreparedChange, WhenTasksStartThenTheyFitIntoBothShapes) {
  hosts(2, 2);
  const auto start = now.seconds;
  const auto ar = reserve(root, on_pe(window(start, 1000), "fill", 4));
  ASSERT_EQ(prepare(root, ar,
                    [&] {
                      auto less = slots(1);
                      less.end = {start + 500};
                      return less;
                    }())
                .exit_code,
            0);
  const auto first = submit(root, inside(ar)), second = submit(root, inside(ar));
  const auto long_one = submit(root, inside(ar, "600"));
  pass();
  EXPECT_TRUE(is_active(first));
  EXPECT_FALSE(is_active(second)) << "the change has one slot";
  EXPECT_FALSE(is_active(long_one));
  EXPECT_LE(find(first)->find(0)->limit.seconds, 500);
  ASSERT_EQ(settle(root, ar, true).exit_code, 0);
  pass();
  EXPECT_FALSE(is_active(second));
  EXPECT_EQ(reservation(ar).shape.slots_on(h1) + reservation(ar).shape.slots_on(h2), 1);
}

// spec/beyond.md B12.07, B12.08 and B12.21
TEST_F(GivenAPreparedChange, WhenTasksWouldNotFitThenItIsRefused) {
  hosts(2, 2);
  const auto start = now.seconds;
  const auto ar = reserve(root, on_pe(window(start, 1000), "fill", 4));
  const auto first = submit(root, inside(ar, "700"));
  auto wide = inside(ar, "100");
  wide.pe = "fill", wide.slots = {{2, 2}};
  const auto second = submit(root, wide);
  pass();
  ASSERT_TRUE(is_active(first) && is_active(second));
  const auto digest = planner.digest();
  EXPECT_NE(text(prepare(root, ar, slots(2))).find("would not have"), std::string::npos);
  EXPECT_NE(text(prepare(root, ar, until(start + 500))).find("longer than"), std::string::npos);
  EXPECT_EQ(planner.digest(), digest) << "a refusal leaves nothing";
  const auto enough = prepare(root, ar, slots(3));
  EXPECT_EQ(enough.exit_code, 0) << text(enough);
  EXPECT_EQ(settle(root, ar, true).exit_code, 0);
}

// P3.39 to P3.42
TEST_F(GivenAPreparedChange, WhenACancellationIsCommittedThenOnlyWhatRunsStays) {
  hosts(1, 4);
  const auto ar = reserve(root, on_pe(window(now.seconds, 1000), "fill", 4));
  const auto running = submit(root, inside(ar));
  pass();
  start(running);
  prepare(root, ar, {}, ReservationVerb::cancel);
  const auto meanwhile = submit(root, inside(ar));
  pass();
  EXPECT_TRUE(is_active(meanwhile)) << "P4.28";
  end(meanwhile);
  ASSERT_EQ(settle(root, ar, true).exit_code, 0);
  EXPECT_EQ(letter(ar), 'd');
  EXPECT_EQ(booked(h1, {{now.seconds}, Instant::never()}), 1);
  EXPECT_FALSE(find(running)->find(0)->deleting);
  EXPECT_EQ(command(root, Submit{inside(ar), "hash"}).exit_code, 1);
  end(running);
  EXPECT_EQ(booked(h1, {{now.seconds}, Instant::never()}), 0);
  EXPECT_EQ(letter(ar), 'd') << "the record stays";
  EXPECT_EQ(prepare(root, ar, slots(1)).exit_code, 1);
  prepare(root, ar, {}, ReservationVerb::destroy);
  ASSERT_EQ(settle(root, ar, true).exit_code, 0);
  EXPECT_EQ(letter(ar), '-'); // P4.29
}

TEST_F(GivenAPreparedChange, WhenACanceledReservationEndsThenItsJobsStay) {
  hosts(1, 1);
  const auto ar = reserve(root, window(now.seconds, 1000));
  const auto running = submit(root, inside(ar)), waiting = submit(root, inside(ar));
  pass();
  prepare(root, ar, {}, ReservationVerb::cancel);
  settle(root, ar, true);
  pass();
  EXPECT_TRUE(find(waiting)) << "it stays, and never runs";
  now = now + Duration{1000};
  due(ar);
  EXPECT_TRUE(find(waiting)) << "qdel or plus_destroy removes it (P3.41)";
  EXPECT_FALSE(find(running)->find(0)->deleting) << "it ends by itself (P3.42)";
  end(running);
  EXPECT_EQ(state_letter(reservation(ar)), 'd');
}

TEST_F(GivenAPreparedChange, WhenItsReservationBeginsAndIsMovedThenItWaitsAgain) {
  hosts(1, 4);
  const auto at = now.seconds + 100;
  const auto ar = reserve(root, window(at, 100));
  ASSERT_EQ(prepare(root, ar, window(at + 50, 100), ReservationVerb::change, 1000).exit_code, 0);
  now = now + Duration{110};
  due(ar);
  EXPECT_EQ(letter(ar), 'r');
  ASSERT_EQ(settle(root, ar, true).exit_code, 0);
  EXPECT_EQ(letter(ar), 'w');
  now = now + Duration{40};
  due(ar);
  EXPECT_EQ(letter(ar), 'r');
}

// P3.5, P4.17
TEST_F(GivenAPreparedChange, WhenReservationsHaveEndedThenTheLastOnesStayOnRecord) {
  hosts(1, 4);
  scheduler({{"params", "EXPIRED_AR=2"}});
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < 3; ++i) {
    numbers.push_back(reserve(root, window(now.seconds, 10)));
    now = now + Duration{10};
    due(numbers.back());
  }
  EXPECT_FALSE(planner.state().reservation_by_number({numbers[0]}));
  EXPECT_EQ(reservation(numbers[1]).phase, ReservationPhase::expired);
  EXPECT_FALSE(planner.state().are_any_reserved());
  EXPECT_EQ(text(command(root, DeleteReservations{{std::to_string(numbers[1])}, {}, false})),
            "denied: advance_reservation \"2\" does not exist\n");
  EXPECT_EQ(command(root, Submit{inside(numbers[1]), "hash"}).exit_code, 1);
  prepare(root, numbers[1], {}, ReservationVerb::destroy);
  ASSERT_EQ(settle(root, numbers[1], true).exit_code, 0);
  EXPECT_FALSE(planner.state().reservation_by_number({numbers[1]}));
}

// What one user has settled is kept for a while, and counts.
TEST_F(GivenAPreparedChange, WhenSomebodySettlesWithoutEndThenALimitIsMet) {
  hosts(1, 4);
  allow("alice");
  global({{"qmaster_params", "MAX_USER_MB=1"}});
  const auto ar = reserve(alice, on_pe(window(now.seconds + 100, 100), "fill", 1));
  int settled = 0;
  Answer last;
  for (; settled < 1000; ++settled) {
    const auto name = "t" + std::to_string(settled);
    last = command(alice, PrepareReservation{name, {ar}, ReservationVerb::change, slots(2), {60}});
    if (last.exit_code != 0) break;
    command(alice, SettleReservation{name, {ar}, false});
  }
  EXPECT_EQ(last.exit_code, 25);
  EXPECT_GT(settled, 100);
}
