// Reservations that end when nothing uses them, and qsub -reserve.
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenAReservationWithIdle : public PlannerFixture {
public:
  GivenAReservationWithIdle() { hosts(1, 4); }

  std::int64_t idle_after(std::int64_t minutes, bool hard = false) {
    auto request = on_pe(window(now.seconds, 7200), "fill", 4);
    request.ends_when_idle = true, request.idle_for = {minutes * 60};
    request.hard = hard;
    return reserve(root, request);
  }
  /// When its actor looks again; what is due then is told.
  Instant look(std::int64_t number) {
    const auto due = step(reservation(number), now);
    if (due.is_idle) tell(ReservationDue{reservation(number).key});
    return due.look_again;
  }
  std::int64_t inside(std::int64_t ar, bool held = false) {
    auto request = job("inside");
    request.reservation = {ar}, request.held_by_user = held;
    return submit(root, request);
  }
};

} // namespace

// I3
TEST_F(GivenAReservationWithIdle, WhenNobodyComesThenItEndsAfterItsTime) {
  const auto start = now;
  const auto ar = idle_after(30);
  EXPECT_EQ(look(ar), start + Duration{1800});
  now = start + Duration{1799};
  look(ar);
  EXPECT_EQ(letter(ar), 'r');
  now = start + Duration{1800};
  look(ar);
  EXPECT_EQ(letter(ar), '-');
  EXPECT_EQ(planner.state().ledger().used(Container::queue({"all.q", "h1"}), "slots",
                                          {now, Instant::never()}),
            0);
}

// I4, B7.51
TEST_F(GivenAReservationWithIdle, WhenTheMasterWasAwayThenTheTimeBeginsAnew) {
  const auto start = now;
  const auto ar = idle_after(30);
  now = start + Duration{1700};
  tell(Restarted{});
  EXPECT_EQ(look(ar), start + Duration{3500});
}

// I5, B7.41
TEST_F(GivenAReservationWithIdle, WhenAJobWaitsThenItIsInUseUnlessTheJobIsOnHold) {
  const auto start = now;
  const auto ar = idle_after(30);
  now = start + Duration{600};
  const auto held = inside(ar, true);
  EXPECT_EQ(look(ar), start + Duration{1800});
  const auto waiting = inside(ar);
  EXPECT_TRUE(reservation(ar).idle_since.is_never());
  EXPECT_EQ(look(ar), start + Duration{7200});
  command(root, DeleteJobs{{std::to_string(waiting)}, {}, {}, false});
  EXPECT_EQ(look(ar), start + Duration{600 + 1800});
  now = start + Duration{2400};
  look(ar);
  EXPECT_EQ(letter(ar), '-');
  EXPECT_FALSE(find(held)); // as at its end
}

// B7.42
TEST_F(GivenAReservationWithIdle, WhenItsJobIsOnALostHostThenItIsInUse) {
  const auto ar = idle_after(1);
  const auto number = inside(ar);
  pass(), start(number);
  tell(HostSilent{"h1", true});
  now = now + Duration{600};
  look(ar);
  EXPECT_EQ(letter(ar), 'E');
  EXPECT_TRUE(reservation(ar).idle_since.is_never());
}

// B7.5
TEST_F(GivenAReservationWithIdle, WhenAnErrorIsHardThenItsTimeBeginsWithTheEndOfTheError) {
  const auto ar = idle_after(30, true);
  now = now + Duration{600};
  tell(HostSilent{"h1", true});
  EXPECT_EQ(letter(ar), 'E');
  EXPECT_EQ(reservation(ar).idle_since, Instant{});
  now = now + Duration{3600};
  register_host("h1");
  EXPECT_EQ(letter(ar), 'r');
  EXPECT_EQ(reservation(ar).idle_since, now);
}

// I6, B7.43
TEST_F(GivenAReservationWithIdle,
       WhenItsTimeIsNothingThenItEndsWithItsLastJobAndNotBeforeTheFirst) {
  const auto ar = idle_after(0);
  now = now + Duration{100};
  look(ar);
  EXPECT_EQ(letter(ar), 'r');
  const auto first = inside(ar);
  pass(), start(first);
  now = now + Duration{50};
  const auto second = inside(ar);
  pass(), start(second), end(first);
  look(ar);
  EXPECT_EQ(letter(ar), 'r');
  now = now + Duration{50};
  end(second);
  look(ar);
  EXPECT_EQ(letter(ar), '-');
}

// B4.25, B7.43
TEST_F(GivenAReservationWithIdle, WhenItsTimeIsNothingThenAJobOnHoldIsItsLastOneToo) {
  const auto ar = idle_after(0);
  const auto held = inside(ar, true);
  const auto other = inside(ar);
  pass(), start(other), end(other);
  look(ar);
  EXPECT_EQ(letter(ar), 'r');
  command(root, DeleteJobs{{std::to_string(held)}, {}, {}, false});
  look(ar);
  EXPECT_EQ(letter(ar), '-');
}

// B7.53
TEST_F(GivenAReservationWithIdle, WhenAJobComesBeforeItsEndIsLookedAtThenItStays) {
  const auto ar = idle_after(1);
  now = now + Duration{60};
  inside(ar);
  tell(ReservationDue{reservation(ar).key});
  EXPECT_EQ(letter(ar), 'r');
}

TEST_F(GivenAReservationWithIdle, WhenAPlannerIsRestoredThenItKnowsSinceWhenItIsIdle) {
  const auto ar = idle_after(30);
  now = now + Duration{100};
  const auto number = inside(ar);
  pass(), start(number);
  now = now + Duration{100};
  end(number);
  EXPECT_EQ(reservation(ar).idle_since, now);
  auto restored = Planner::restore(planner.state().records().copy());
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->digest(), planner.digest());
  EXPECT_EQ(step(*restored->state().reservation_by_number({ar}), now).look_again,
            now + Duration{1800});
}

// R1.12
TEST_F(GivenAReservationWithIdle, WhenAJobReservesForItselfThenItRunsInsideAndBothEndTogether) {
  auto request = job("both");
  request.reserve_for = {600};
  request.pe = "fill", request.slots = {{3, 3}};
  const auto number = submit(root, request);
  EXPECT_EQ(letter(1), 'r');
  EXPECT_EQ(reservation(1).owner.user, "root");
  EXPECT_EQ(reservation(1).shape.window, (Window{now, now + Duration{600}}));
  pass(), start(number);
  EXPECT_EQ(find(number)->reservation_key, reservation(1).key);
  now = now + Duration{60};
  end(number);
  look(1);
  EXPECT_EQ(letter(1), '-');
}

// R1.12: also in slots of -alloc
TEST_F(GivenAReservationWithIdle, WhenAJobWithAnAllocationReservesForItselfThenItRunsInside) {
  for (const char* rule : {"2", "$fill_up"}) {
    auto request = job("both");
    request.reserve_for = {600};
    request.allocation_rule = rule, request.slots = {{2, 2}};
    const auto number = submit(root, request);
    pass();
    EXPECT_TRUE(is_active(number)) << rule;
    command(root, DeleteJobs{{std::to_string(number)}, {}, {}, true});
  }
}

// B4.25
TEST_F(GivenAReservationWithIdle, WhenAJobOnHoldReservesForItselfAndIsDeletedThenBothAreGone) {
  auto request = job("both");
  request.reserve_for = {600}, request.held_by_user = true;
  const auto number = submit(root, request);
  look(1);
  EXPECT_EQ(letter(1), 'r');
  command(root, DeleteJobs{{std::to_string(number)}, {}, {}, false});
  look(1);
  EXPECT_EQ(letter(1), '-');
}

// R1.12
TEST_F(GivenAReservationWithIdle, WhenOneOfBothIsRefusedThenNeitherIsThereAndNoIdIsTaken) {
  const auto before = planner.digest();
  auto too_wide = job("wide");
  too_wide.reserve_for = {600};
  too_wide.pe = "fill", too_wide.slots = {{5, 5}};
  EXPECT_EQ(command(root, Submit{too_wide, "hash"}).exit_code, 1);
  EXPECT_EQ(planner.digest(), before);
  auto too_long = job("long", "600");
  too_long.reserve_for = {600};
  const auto refused = command(root, Submit{too_long, "hash"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(text(refused).find("is longer than duration of the advance reservation (00:10:00 "),
            std::string::npos)
      << text(refused); // by no id: none was given
  EXPECT_EQ(planner.digest(), before);
  auto fits = job("fits", "100");
  fits.reserve_for = {600};
  EXPECT_EQ(submit(root, fits), 1);
  EXPECT_EQ(letter(1), 'r');
}
