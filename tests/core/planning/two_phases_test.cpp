// The ten rules of spec/plus.md section 4, and each way in which what is held is aborted by itself.
// Changes by slots are in transactions_test.
#include "nodes_fixture.hpp"

using namespace almanac;

namespace {

class GivenTwoPhases : public NodesFixture {
public:
  bool is_there(std::int64_t number) const {
    return planner.state().reservation_by_number({number}) != nullptr;
  }
  bool is_pending(std::int64_t number) const { return !reservation(number).proposed.empty(); }
  ReservationRequest until(std::int64_t in) const {
    ReservationRequest request;
    request.end = {now.seconds + in};
    return request;
  }
  ReservationRequest moved_to(std::int64_t in) const {
    ReservationRequest request;
    request.start = {now.seconds + in};
    return request;
  }
  void restart() {
    planner = *Planner::restore(planner.state().records().copy());
    tell(Restarted{});
  }
  // Both say the same: it was aborted.
  void expect_aborted(const Caller& caller, std::int64_t number) {
    EXPECT_EQ(settle(caller, number, true).exit_code, 1);
    EXPECT_EQ(settle(caller, number, false).exit_code, 0);
  }
};

} // namespace

// ---- the rules ----------------------------------------------------------------------------------

// plus.md section 4 rule 1
TEST_F(GivenTwoPhases, WhenNothingIsHeldThenEachVerbIsFinalAtOnceAndElseItWaits) {
  hosts(2, 4);
  const auto ar = granted(root, whole(1));
  EXPECT_EQ(letter(ar), 'w');
  EXPECT_EQ(prepare(root, until(500), 0, ar).exit_code, 0);
  EXPECT_FALSE(is_pending(ar));
  EXPECT_EQ(reservation(ar).shape.window.end.seconds, now.seconds + 500);
  EXPECT_EQ(prepare(root, until(700), 60, ar).exit_code, 0);
  EXPECT_TRUE(is_pending(ar));
  EXPECT_EQ(reservation(ar).shape.window.end.seconds, now.seconds + 500);
  ASSERT_EQ(settle(root, ar, false).exit_code, 0);
  EXPECT_EQ(prepare(root, {}, 60, ar, ReservationVerb::cancel).exit_code, 0);
  EXPECT_EQ(letter(ar), 'w');
  ASSERT_EQ(settle(root, ar, false).exit_code, 0);
  EXPECT_EQ(prepare(root, {}, 60, ar, ReservationVerb::destroy).exit_code, 0);
  EXPECT_EQ(letter(ar), 'w');
  ASSERT_EQ(settle(root, ar, true).exit_code, 0);
  EXPECT_FALSE(is_there(ar));
  const auto gone = granted(root, whole(1));
  EXPECT_EQ(prepare(root, {}, 0, gone, ReservationVerb::cancel).exit_code, 0);
  EXPECT_EQ(letter(gone), 'd');
  EXPECT_EQ(prepare(root, {}, 0, gone, ReservationVerb::destroy).exit_code, 0);
  EXPECT_FALSE(is_there(gone));
}

// plus.md section 4 rule 2, P4.25
TEST_F(GivenTwoPhases, WhenTheMasterIsRestartedThenWhatIsHeldIsHeldStill) {
  hosts(2, 4);
  const auto held = prepare(root, whole(2), 60).number;
  const auto digest = planner.digest();
  planner = *Planner::restore(planner.state().records().copy());
  EXPECT_EQ(planner.digest(), digest);
  tell(Restarted{});
  EXPECT_EQ(letter(held), 'h');
  EXPECT_EQ(prepare(root, whole(1)).exit_code, 1) << "its hosts are taken";
  EXPECT_EQ(settle(root, held, true).exit_code, 0);
  EXPECT_EQ(places(held), "h1=4 h2=4");
}

// plus.md section 4 rule 3: an owner and a hold have no command in common
TEST_F(GivenTwoPhases, WhenAllOfAnOwnerAreMeantThenNothingCanBeHeld) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1));
  EXPECT_EQ(command(root, RemoveReservations{{}, {"root"}, ReservationVerb::cancel}).exit_code, 0);
  EXPECT_EQ(letter(ar), 'd') << "it is final at once";
}

// plus.md section 4 rule 4
TEST_F(GivenTwoPhases, WhenSomethingIsHeldThenEachOtherOperationIsRefused) {
  hosts(2, 4);
  allow("alice");
  const auto ar = granted(alice, whole(1));
  ASSERT_EQ(prepare(alice, until(2000), 60, ar).exit_code, 0);
  const auto is_pending_for = [&](const Answer& answer) {
    return answer.exit_code == 1 && says(answer, "operation pending on advance_reservation \"1\"");
  };
  for (const auto verb :
       {ReservationVerb::change, ReservationVerb::cancel, ReservationVerb::destroy}) {
    EXPECT_TRUE(is_pending_for(prepare(alice, {}, 60, ar, verb)));
    EXPECT_TRUE(is_pending_for(prepare(root, {}, 0, ar, verb)));
  }
  AlterReservation altered;
  altered.number = {ar}, altered.options = {"-N"}, altered.request.name = "other";
  EXPECT_TRUE(is_pending_for(command(alice, altered))) << "qralter";
  EXPECT_TRUE(is_pending_for(command(alice, DeleteReservations{{"R1"}, {}, false}))) << "qrdel";
  EXPECT_TRUE(is_pending_for(remove(alice, ar, ReservationVerb::cancel)));
  EXPECT_TRUE(is_pending_for(remove(alice, ar, ReservationVerb::destroy)));
  EXPECT_EQ(settle(alice, ar, true).exit_code, 0);
  EXPECT_EQ(command(alice, altered).exit_code, 0);
}

// plus.md section 4 rule 5
TEST_F(GivenTwoPhases, WhenAnotherUserSettlesItThenThatIsRefusedAndManagersMay) {
  hosts(2, 4);
  allow("alice"), allow("bob");
  const auto held = prepare(alice, whole(1), 60).number;
  EXPECT_EQ(settle(bob, held, true).exit_code, 1);
  EXPECT_EQ(settle(bob, held, false).exit_code, 1);
  EXPECT_EQ(settle(root, held, true).exit_code, 0);
  EXPECT_EQ(reservation(held).owner.user, "alice");
}

// plus.md section 4 rule 6, P4.24
TEST_F(GivenTwoPhases, WhenItIsCommittedThenItHasWhatWasFoundWhateverHappenedMeanwhile) {
  hosts(2, 4);
  const auto held = prepare(root, whole(2), 300).number;
  EXPECT_EQ(command(root, Reserve{window(now.seconds + 100, 10)}).exit_code, 1);
  lose("h1");
  global({{"max_advance_reservations", "1"}});
  now = now + Duration{50};
  EXPECT_EQ(settle(root, held, true).exit_code, 0);
  EXPECT_EQ(places(held), "h1=4 h2=4");
}

// plus.md section 4 rule 8 and the example there
TEST_F(GivenTwoPhases, WhenItIsSettledAgainThenTheSameIsDoneForAnHourAndTheOppositeIsNot) {
  hosts(1, 4);
  const auto held = prepare(root, whole(1, 10'000), 300).number;
  now = now + Duration{240};
  ASSERT_EQ(settle(root, held, true).exit_code, 0);
  now = now + Duration{960};
  EXPECT_EQ(settle(root, held, true).exit_code, 0);
  EXPECT_EQ(settle(root, held, false).exit_code, 1);
  now = now + Duration{2640};
  EXPECT_EQ(settle(root, held, true).exit_code, 1) << "an hour is over";
}

// plus.md section 4 rule 9 and the example there
TEST_F(GivenTwoPhases, WhenItsTimeIsOverWhileTheMasterIsDownThenItIsAbortedFirst) {
  hosts(1, 4);
  const auto held = prepare(root, whole(1, 1000), 300).number;
  now = now + Duration{360};
  restart();
  EXPECT_FALSE(is_there(held));
  EXPECT_EQ(settle(root, held, true).exit_code, 1);
  EXPECT_EQ(granted(root, whole(1, 640)), held + 1);
}

// plus.md section 4 rule 10
TEST_F(GivenTwoPhases, WhenItIsAbortedThenItsNumberIsNotGivenForAnHour) {
  hosts(1, 4);
  const auto held = prepare(root, whole(1), 60).number;
  ASSERT_EQ(settle(root, held, false).exit_code, 0);
  auto records = planner.state().records().copy();
  records.counters.last_reservation_number = held - 1;
  planner = *Planner::restore(std::move(records));
  EXPECT_EQ(granted(root, whole(1)), held + 1);
}

// ---- rule 7: aborted by itself ------------------------------------------------------------------

// plus.md section 4 rule 7a, P4.26
TEST_F(GivenTwoPhases, WhenTheHoldTimeIsOverThenItIsAborted) {
  hosts(1, 4);
  const auto held = prepare(root, whole(1), 2).number;
  now = now + Duration{2};
  due(held);
  EXPECT_FALSE(is_there(held));
  expect_aborted(root, held);
  EXPECT_EQ(booked("h1"), 0);
}

// The site's longest hold caps what is asked for (metascheduler.md M5.5), and the answer says so.
TEST_F(GivenTwoPhases, WhenSomebodyAsksForALongerHoldThenTheSitesTimeCounts) {
  hosts(1, 4);
  const auto until_of = [&](std::int64_t hold_for) {
    const auto answer = prepare(root, whole(1, 5000), hold_for);
    EXPECT_EQ(answer.exit_code, 0);
    EXPECT_EQ(answer.statements.front().code, AnswerCode::reservation_held);
    EXPECT_NE(answer.statements.front().find("until"), nullptr);
    const auto until = reservation(answer.number).proposed.front().held_until;
    settle(root, answer.number, false);
    return (until - now).seconds;
  };
  EXPECT_EQ(until_of(3600), 300);
  EXPECT_EQ(until_of(100), 100);
  scheduler({{"params", "PLUS_HOLD_TIMEOUT=0:10:0"}});
  EXPECT_EQ(until_of(3600), 600);
}

// plus.md section 4 rule 7b
TEST_F(GivenTwoPhases, WhenTheStartOfAHeldNewOneComesThenItIsAborted) {
  hosts(1, 4);
  const auto held = prepare(root, whole(1, 20), 60).number;
  now = now + Duration{20};
  due(held);
  EXPECT_FALSE(is_there(held));
  expect_aborted(root, held);
  EXPECT_EQ(prepare(root, whole(1, 0), 60).exit_code, 1) << "it would be over at once";
  EXPECT_EQ(prepare(root, whole(1, 0), 0).exit_code, 0) << "without a hold it begins now";
}

// plus.md section 4 rule 7c
TEST_F(GivenTwoPhases, WhenTheReservationEndsThenWhatIsHeldForItIsAborted) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1, 0, 30));
  ASSERT_EQ(prepare(root, until(500), 60, ar).exit_code, 0);
  now = now + Duration{30};
  due(ar);
  EXPECT_EQ(letter(ar), '-') << "only the record is left";
  expect_aborted(root, ar);
  const auto other = granted(root, whole(1, 0, 30));
  ASSERT_EQ(prepare(root, {}, 60, other, ReservationVerb::destroy).exit_code, 0);
  now = now + Duration{30};
  due(other);
  expect_aborted(root, other);
  EXPECT_TRUE(is_there(other)) << "it was not destroyed";
}

// plus.md section 4 rule 7d
TEST_F(GivenTwoPhases, WhenTheNewStartComesThenTheChangeIsAborted) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1, 100));
  ASSERT_EQ(prepare(root, moved_to(40), 60, ar).exit_code, 0);
  now = now + Duration{40};
  due(ar);
  EXPECT_FALSE(is_pending(ar));
  EXPECT_EQ(reservation(ar).shape.window.start.seconds, now.seconds + 60) << "the old times";
  expect_aborted(root, ar);
}

// plus.md section 4 rule 7e
TEST_F(GivenTwoPhases, WhenAManagerDestroysItThenWhatIsHeldIsAborted) {
  hosts(1, 4);
  allow("alice");
  for (const bool by_qrdel : {false, true}) {
    const auto held = prepare(alice, whole(1), 60).number;
    const auto answer = by_qrdel
                            ? command(root, DeleteReservations{{std::to_string(held)}, {}, false})
                            : remove(root, held, ReservationVerb::destroy);
    EXPECT_EQ(answer.exit_code, 0);
    EXPECT_FALSE(is_there(held));
    expect_aborted(alice, held);
  }
}

// plus.md section 4 rule 7f
TEST_F(GivenTwoPhases, WhenAHeldNodeIsRemovedFromTheClusterThenItIsAborted) {
  hosts(2, 4);
  const auto stays = granted(root, whole(1));
  ASSERT_EQ(places(stays), "h1=4");
  const auto held = prepare(root, whole(1), 60).number;
  EXPECT_EQ(command(root, RemoveHost{"h1"}).exit_code, 1) << "it is granted there";
  EXPECT_EQ(letter(held), 'h') << "a refusal leaves all as it was";
  EXPECT_EQ(command(root, RemoveHost{"h2"}).exit_code, 0);
  EXPECT_FALSE(is_there(held));
  expect_aborted(root, held);
  EXPECT_FALSE(planner.state().configuration().hosts().contains("h2"));
  EXPECT_FALSE(planner.state().configuration().has_orphans());
}

// plus.md section 4 rule 7f: likewise of a change, and of a host that left its queues before
TEST_F(GivenTwoPhases, WhenANodeOfAHeldChangeIsRemovedThenTheOldShapeStays) {
  hosts(2, 4);
  const auto ar = granted(root, whole(1));
  ReservationRequest more;
  more.nodes = 2;
  ASSERT_EQ(prepare(root, more, 60, ar).exit_code, 0);
  change({ObjectKind::host_group, "@allhosts", {{"hostlist", "h1"}}});
  EXPECT_TRUE(is_pending(ar)) << "it has its place until the host goes";
  queue("all.q", {{"slots", "4"}});
  change({ObjectKind::exec_host, "h2", {}}, ChangeVerb::erase);
  EXPECT_FALSE(is_pending(ar));
  EXPECT_EQ(places(ar), "h1=4");
  EXPECT_EQ(letter(ar), 'w');
  EXPECT_FALSE(planner.state().configuration().has_orphans());
  expect_aborted(root, ar);
}

// ---- the same name ------------------------------------------------------------------------------

// metascheduler.md M5.8
TEST_F(GivenTwoPhases, WhenTheSameTransactionComesTwiceThenThereIsOneReservation) {
  hosts(3, 4);
  allow("alice"), allow("bob");
  const auto asked = [&](const Caller& caller, std::int64_t hold_for) {
    return command(
        caller, PrepareReservation{"t77", {}, ReservationVerb::change, whole(1, 1000), {hold_for}});
  };
  const auto first = asked(alice, 120);
  ASSERT_EQ(first.exit_code, 0);
  const auto digest = planner.digest();
  EXPECT_EQ(asked(alice, 120), first);
  EXPECT_EQ(planner.digest(), digest);
  const auto of_bob = asked(bob, 120);
  EXPECT_NE(of_bob.number, first.number) << "names are each user's own";
  ASSERT_EQ(settle(alice, first.number, true, "t77").exit_code, 0);
  restart();
  const auto again = asked(alice, 120);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.number, first.number) << "it was committed";
  ASSERT_EQ(settle(bob, of_bob.number, false, "t77").exit_code, 0);
  const auto anew = asked(bob, 0);
  EXPECT_EQ(anew.exit_code, 0);
  EXPECT_NE(anew.number, of_bob.number) << "what was aborted may be tried anew";
  EXPECT_EQ(letter(anew.number), 'w');
  EXPECT_EQ(asked(bob, 0).number, anew.number) << "without a hold it counts, too";
  now = now + Duration{3600};
  ReservationRequest later = whole(1, 1000);
  EXPECT_NE(command(bob, PrepareReservation{"t77", {}, ReservationVerb::change, later, {0}}).number,
            anew.number)
      << "an hour is over";
}

TEST_F(GivenTwoPhases, WhenTheSameChangeComesTwiceThenItIsHeldOnce) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1));
  const auto change_it = [&](ReservationRequest request) {
    return command(root, PrepareReservation{"t", {ar}, ReservationVerb::change, request, {60}});
  };
  const auto first = change_it(until(2000));
  ASSERT_EQ(first.exit_code, 0);
  EXPECT_EQ(change_it(until(2000)), first);
  EXPECT_EQ(change_it(until(2100)).exit_code, 1) << "that is another one";
}

// plus.md P4.13, P4.27 and the example there
TEST_F(GivenTwoPhases, WhenAMoveIsHeldThenTheHostIsBookedOnceInBothTimes) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1, 100, 100));
  ASSERT_EQ(prepare(root, moved_to(150), 60, ar).exit_code, 0);
  for (const std::int64_t in : {100, 149, 150, 199, 200, 249}) EXPECT_EQ(booked("h1", in), 4) << in;
  EXPECT_EQ(booked("h1", 250), 0);
  ASSERT_EQ(settle(root, ar, false).exit_code, 0);
  EXPECT_EQ(booked("h1", 200), 0);
}

// plus.md P4.28, P4.29
TEST_F(GivenTwoPhases, WhenItsEndIsHeldThenAJobOfItStillStarts) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1, 0));
  ASSERT_EQ(prepare(root, {}, 60, ar, ReservationVerb::cancel).exit_code, 0);
  const auto runs = submit(root, inside(ar));
  pass();
  EXPECT_TRUE(is_active(runs));
}

// plus.md P5.16: quotas of the site limit neither the reservation nor its jobs
TEST_F(GivenTwoPhases, WhenQuotasAreTightThenTheyDoNotLimitIt) {
  hosts(2, 4);
  const ConfigurationObject set{
      ObjectKind::quota_set, "tight", {{"enabled", "TRUE"}, {"limit", "limit to slots=1"}}};
  change(set, ChangeVerb::add);
  const auto ar = granted(root, whole(2, 0));
  const auto first = submit(root, inside(ar)), second = submit(root, inside(ar));
  pass();
  EXPECT_TRUE(is_active(first) && is_active(second));
}

// plus.md P3.54
TEST_F(GivenTwoPhases, WhenNothingWasEverHeldThenThereIsNothingToSettle) {
  hosts(2, 4);
  const auto ar = granted(root, whole(1));
  EXPECT_EQ(settle(root, ar, true).exit_code, 1) << "it was granted at once";
  EXPECT_EQ(settle(root, ar, false).exit_code, 1);
  ASSERT_EQ(prepare(root, until(700), 60, ar).exit_code, 0);
  ASSERT_EQ(settle(root, ar, true).exit_code, 0);
  EXPECT_EQ(settle(root, ar, true).exit_code, 0) << "rule 8";
  ASSERT_EQ(prepare(root, until(900), 0, ar).exit_code, 0);
  EXPECT_EQ(settle(root, ar, true).exit_code, 1);
}

// plus.md P3.5
TEST_F(GivenTwoPhases, WhenTheSiteKeepsFewerExpiredOnesThenTheOthersGoAtOnce) {
  hosts(2, 4);
  std::vector<std::int64_t> past;
  for (int i = 0; i < 3; ++i) past.push_back(granted(root, whole(1, 100 + 100 * i, 10)));
  for (const auto ar : past) {
    const auto key = reservation(ar).key;
    now = reservation(ar).shape.window.end, tell(ReservationDue{key});
  }
  EXPECT_TRUE(is_there(past.front()));
  scheduler({{"params", "EXPIRED_AR=1"}});
  EXPECT_FALSE(is_there(past.at(0)) || is_there(past.at(1)));
  EXPECT_TRUE(is_there(past.at(2)));
}

// plus.md P3.14 P3.52
TEST_F(GivenTwoPhases, WhenAStartHasJustPassedThenItIsNowForEachCommand) {
  hosts(2, 4);
  const auto ar = granted(root, whole(1));
  EXPECT_EQ(prepare(root, moved_to(-61), 0, ar).exit_code, 1);
  EXPECT_EQ(prepare(root, moved_to(-50), 0, ar).exit_code, 0);
  EXPECT_EQ(reservation(ar).shape.window.start, now);
  EXPECT_EQ(reservation(ar).shape.window.length(), Duration{1'000});
  const auto free = [&](std::int64_t in) {
    auto request = until(100);
    request.start = now + Duration{in}, request.nodes = 1, request.whole_nodes = true;
    const auto answer = ask(FindNodes{root, request});
    return answer.exit_code == 0 ? answer.number : -1;
  };
  EXPECT_EQ(free(-50), 1);
  EXPECT_EQ(free(-61), -1);
}

TEST_F(GivenTwoPhases, WhenOneIsBySlotsThenItStaysSo) {
  hosts(2, 4);
  const auto ar = reserve(root, window(now.seconds + 100, 1'000));
  auto more = until(1'100);
  more.nodes = 2;
  EXPECT_EQ(prepare(root, more, 0, ar).statements.front().code, AnswerCode::by_nodes_or_slots);
}

// plus.md P3.40 P3.41 P3.42 P4.16
TEST_F(GivenTwoPhases, WhenACanceledOneComesToItsEndThenItsJobsAreLeftAlone) {
  hosts(2, 1);
  const auto ar = granted(root, whole(1, 0));
  const auto runs = submit(root, inside(ar)), waits = submit(root, inside(ar));
  pass(), start(runs);
  ASSERT_EQ(remove(root, ar, ReservationVerb::cancel).exit_code, 0);
  const auto key = reservation(ar).key;
  now = now + Duration{2'000}, tell(ReservationDue{key}), pass();
  EXPECT_FALSE(task(runs).deleting);
  EXPECT_TRUE(is_there(ar));
  EXPECT_EQ(reservation(ar).shown_phase(), ReservationPhase::canceled);
  EXPECT_NE(planner.state().job_by_number({waits}), nullptr);
  EXPECT_EQ(remove(root, ar, ReservationVerb::cancel).statements.front().code,
            AnswerCode::reservation_is_canceled);
  EXPECT_EQ(prepare(root, until(9'000), 0, ar).statements.front().code,
            AnswerCode::reservation_is_canceled);
  EXPECT_EQ(remove(root, ar, ReservationVerb::destroy).exit_code, 0);
  EXPECT_TRUE(task(runs).deleting);
  EXPECT_EQ(planner.state().job_by_number({waits}), nullptr);
}
