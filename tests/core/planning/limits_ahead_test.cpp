// How much of the future a user may reserve (docs/spec/beyond.md section 10).
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class GivenLimitsAhead : public PlannerFixture {
public:
  GivenLimitsAhead() {
    hosts(2, 8);
    allow("alice"), allow("bob");
    planner.set_checking(true);
  }
  void limit(const std::string& attribute, const std::string& value) {
    global({{attribute, value}});
  }
  /// From `after` seconds from now on.
  Answer ask_for(const Caller& caller, std::int64_t slots, std::int64_t seconds,
                 std::int64_t after = 0) {
    return command(caller, Reserve{on_pe(window(now.seconds + after, seconds), "fill", slots)});
  }
  std::int64_t granted(const Caller& caller, std::int64_t slots, std::int64_t seconds,
                       std::int64_t after = 0) {
    const auto answer = ask_for(caller, slots, seconds, after);
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    return answer.number;
  }
  /// What is said; nothing is changed and no id is used.
  std::string refused(const Caller& caller, std::int64_t slots, std::int64_t seconds,
                      std::int64_t after = 0) {
    const auto before = planner.state().digest();
    const auto answer = ask_for(caller, slots, seconds, after);
    EXPECT_EQ(answer.exit_code, 25);
    EXPECT_EQ(planner.state().digest(), before);
    return text(answer);
  }
  Answer change(const Caller& caller, std::int64_t number, std::int64_t seconds) {
    const auto command = longer_or_shorter(number, seconds);
    auto answer = this->command(caller, command);
    if (answer.exit_code == 0)
      answer = this->command(caller, SettleReservation{command.transaction, {number}, true});
    return answer;
  }
  void erase(const Caller& caller, std::int64_t number) {
    EXPECT_EQ(command(caller, DeleteReservations{{std::to_string(number)}, {}, false}).exit_code,
              0);
  }

  PrepareReservation longer_or_shorter(std::int64_t number, std::int64_t seconds) {
    PrepareReservation command{"t" + std::to_string(++changes_), {number}, {}, {}, {60}};
    command.request.duration = {seconds}, command.request.has_duration = true;
    return command;
  }

  static constexpr std::int64_t hour = 3600;

private:
  int changes_ = 0;
};

// Made anew for each case of a property.
class AnyReservations : public GivenLimitsAhead {
public:
  void TestBody() override {}

  void happen() {
    const auto number = *rc::gen::inRange<std::int64_t>(1, 6);
    const auto seconds = *rc::gen::inRange<std::int64_t>(1, 2000);
    switch (*rc::gen::inRange(0, 6)) {
    case 0:
    case 1: ask_for(alice, *rc::gen::inRange<std::int64_t>(1, 5), seconds, seconds / 2); break;
    case 2: command(alice, longer_or_shorter(number, seconds)); break;
    case 3: command(alice, SettleReservation{"", {number}, *rc::gen::arbitrary<bool>()}); break;
    case 4: command(alice, DeleteReservations{{std::to_string(number)}, {}, false}); break;
    default: now = now + Duration{seconds};
    }
    if (*rc::gen::arbitrary<bool>())
      for (std::int64_t i = 1; i < 6; ++i)
        if (planner.state().reservation_by_number({i})) due(i);
  }
  std::int64_t sum(std::int64_t (Shape::*count)() const) const {
    std::int64_t all = 0;
    for (const auto& reservation : planner.state().reservations()) {
      std::int64_t most = 0;
      if (!reservation.is_over())
        for (const auto* shape : shapes_of(reservation))
          most = std::max(most, slot_seconds((shape->*count)(), shape->window, now));
      all += most;
    }
    return all;
  }
};

} // namespace

// L1: limit 10 -> 8 slots x 1 h granted, 2 more granted, 1 s more refused (beyond L1, B10.2, B10.32, B10.33)
TEST_F(GivenLimitsAhead, WhenSlotHoursAreUsedUpThenASecondMoreIsRefusedWithTheNumbers) {
  limit("max_u_ar_slot_hours", "10");
  granted(alice, 8, hour, 7200);
  granted(alice, 2, hour, 7200);
  EXPECT_EQ(refused(alice, 1, 1, 7200),
            "rejected: 0.1 slot-hours requested, 10.0 of 10.0 in use by user \"alice\"; 0.0 are "
            "left\n");
  granted(bob, 1, hour, 7200);
}

TEST_F(GivenLimitsAhead, WhenMoreIsAskedForThanIsLeftThenTheTextNamesAllThree) {
  limit("max_u_ar_slot_hours", "100");
  granted(alice, 9, 10 * hour, 7200);
  EXPECT_EQ(refused(alice, 4, 4 * hour, 7200),
            "rejected: 16.0 slot-hours requested, 90.0 of 100.0 in use by user \"alice\"; 10.0 are "
            "left\n");
  granted(alice, 4, 2 * hour + 1800, 7200);
}

// beyond L2, B10.22: half an hour after its start 4 of the 8 are back.
TEST_F(GivenLimitsAhead, WhenAReservationRunsThenWhatIsPastIsBack) {
  limit("max_u_ar_slot_hours", "8");
  const auto running = granted(alice, 8, hour);
  EXPECT_EQ(letter(running), 'r');
  now = now + Duration{1800};
  refused(alice, 4, hour + 1, 7200);
  granted(alice, 4, hour, 7200);
}

// beyond L3: two requests for the last 5: one wins.
TEST_F(GivenLimitsAhead, WhenTwoAskForTheLastOnesThenTheFirstHasThem) {
  limit("max_u_ar_slot_hours", "5");
  granted(alice, 5, hour, 7200);
  EXPECT_NE(refused(alice, 5, hour, 10'000).find("5.0 of 5.0 in use"), std::string::npos);
}

// beyond L5: what is deleted is free for the next input.
TEST_F(GivenLimitsAhead, WhenAReservationIsDeletedThenItsShareIsFreeAtOnce) {
  limit("max_u_ar_slot_hours", "5"), limit("max_u_advance_reservations", "1");
  const auto first = granted(alice, 5, hour, 7200);
  refused(alice, 1, 60, 7200);
  erase(alice, first);
  granted(alice, 5, hour, 7200);
}

// B10.31, O7.33
TEST_F(GivenLimitsAhead, WhenAUserHasAsManyReservationsAsAllowedThenTheExitCodeIs25) {
  limit("max_u_advance_reservations", "2");
  granted(alice, 1, 60, 600), granted(alice, 1, 60, 600);
  EXPECT_EQ(refused(alice, 1, 60, 600),
            "rejected: only 2 advance reservations are allowed for user \"alice\"\n");
  granted(bob, 1, 60, 600);
}

// B10.12: that of the cluster comes first.
TEST_F(GivenLimitsAhead, WhenBothLimitsOfReservationsAreReachedThenThatOfTheClusterIsNamed) {
  limit("max_advance_reservations", "1"), limit("max_u_advance_reservations", "1");
  granted(alice, 1, 60, 600);
  EXPECT_EQ(refused(alice, 1, 60, 600),
            "rejected: only 1 advance reservations are allowed per cluster\n");
}

// B10.11
TEST_F(GivenLimitsAhead,
       WhenALimitHasExceptionsThenOnesOwnCountsElseTheFirstListElseTheFirstValue) {
  command(root,
          Configure{{ChangeVerb::add,
                     {ObjectKind::userset, "one", {{"type", "ACL"}, {"entries", "alice bob"}}},
                     {}}});
  limit("max_u_advance_reservations", "0,[@one=1],[alice=2]");
  granted(alice, 1, 60, 600), granted(alice, 1, 60, 600);
  EXPECT_NE(refused(alice, 1, 60, 600).find("only 2 advance"), std::string::npos);
  granted(bob, 1, 60, 600);
  EXPECT_NE(refused(bob, 1, 60, 600).find("only 1 advance"), std::string::npos);
  const ConfigurationObject wrong{
      ObjectKind::global_configuration, "", {{"max_u_advance_reservations", "1,[@nosuchlist=1]"}}};
  const auto answer = command(root, Configure{{ChangeVerb::modify, wrong, {}}});
  EXPECT_NE(text(answer).find("\"nosuchlist\" does not exist"), std::string::npos) << text(answer);
  const auto gone =
      command(root, Configure{{ChangeVerb::erase, {ObjectKind::userset, "one", {}}, {}}});
  EXPECT_NE(text(gone).find("max_u_advance_reservations"), std::string::npos) << text(gone);
}

// B10.13, B10.14
TEST_F(GivenLimitsAhead, WhenALimitIsLoweredThenNothingGoesAndManagersHaveNone) {
  granted(alice, 4, hour, 7200), granted(alice, 4, hour, 7200);
  limit("max_u_advance_reservations", "0"), limit("max_u_ar_slot_hours", "0");
  EXPECT_EQ(planner.state().occupancy().reservations_of.standing("alice"), 2);
  refused(alice, 1, 1, 7200);
  granted(root, 4, hour, 7200);
}

// B10.21, B10.23
TEST_F(GivenLimitsAhead, WhenAReservationIsChangedThenOnlyWhatThatAddsIsAskedFor) {
  limit("max_u_ar_slot_hours", "8");
  const auto number = granted(alice, 4, hour, 7200);
  EXPECT_EQ(change(alice, number, 2 * hour + 1).exit_code, 25);
  EXPECT_EQ(change(alice, number, 2 * hour).exit_code, 0);
  limit("max_u_ar_slot_hours", "1");
  EXPECT_EQ(change(alice, number, hour).exit_code, 0) << "it takes less";
  EXPECT_EQ(change(alice, number, hour + 1).exit_code, 25);
  EXPECT_EQ(change(root, number, 2 * hour).exit_code, 0) << "a manager may give it";
  // While a change is prepared the larger shape counts.
  limit("max_u_ar_slot_hours", "16");
  const auto shorter = longer_or_shorter(number, hour);
  EXPECT_EQ(command(alice, shorter).exit_code, 0);
  const auto& reserved = planner.state().occupancy().reservations_of;
  EXPECT_EQ(reserved.slot_seconds("alice", now), 4 * 2 * hour);
  EXPECT_EQ(reserved.host_seconds("alice", now), 2 * hour);
}

RC_GTEST_PROP(GivenReservationsOfAnyKind, WhenTimePassesThenWhatIsAheadIsTheSumOfTheLargerShapes,
              ()) {
  AnyReservations cell;
  for (int i = *rc::gen::inRange(1, 20); i > 0; --i) {
    cell.happen();
    const auto& reserved = cell.planner.state().occupancy().reservations_of;
    RC_ASSERT(reserved.slot_seconds("alice", cell.now) == cell.sum(&Shape::slots));
    RC_ASSERT(reserved.host_seconds("alice", cell.now) == cell.sum(&Shape::hosts_with_spares));
  }
}
