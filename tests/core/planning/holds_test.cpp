// What is held for waiting jobs (-R y): the worked examples V2 to V5 of spec/scheduling.md, and
// what a hold promises.
#include "holds_fixture.hpp"

using namespace almanac;

using GivenHolds = HoldsFixture;

TEST_F(GivenHolds, WhenLicensesAreShortThenTheSeedsExampleComesOut) {
  const auto l4 = four_of_five_licenses("DURATION_OFFSET=0");
  const auto l5 = submit(root, holding("L5", "30", "5"));
  const auto l1 = submit(root, holding("L1", "31", "1"));
  pass();
  EXPECT_TRUE(is_active(l4));
  EXPECT_EQ(held_in(l5), 30);
  EXPECT_EQ(held_in(l1), 60);
  start(l4);
  now = now + Duration{30};
  end(l4);
  pass();
  EXPECT_TRUE(is_active(l5));
  EXPECT_EQ(held_in(l1), 30);
}

TEST_F(GivenHolds, WhenAJobEndsInTimeThenItIsBackfilled) {
  four_of_five_licenses("DURATION_OFFSET=0");
  const auto l5 = submit(root, holding("L5", "30", "5"));
  const auto l1 = submit(root, holding("L1", "29", "1"));
  pass();
  EXPECT_TRUE(is_active(l1));
  EXPECT_EQ(held_in(l5), 30);
}

TEST_F(GivenHolds, WhenTheOffsetIsTheDefaultThenItCountsInEachDuration) {
  four_of_five_licenses();
  const auto l5 = submit(root, holding("L5", "30", "5"));
  const auto l1 = submit(root, holding("L1", "31", "1"));
  pass();
  EXPECT_EQ(held_in(l5), 90);
  EXPECT_EQ(held_in(l1), 180);
}

TEST_F(GivenHolds, WhenSmallJobsKeepComingThenTheLargeOneStartsAsPromised) {
  hosts(1, 5);
  scheduler({{"max_reservation", "1"}, {"params", "DURATION_OFFSET=0"}, {"weight_urgency", "0"}});
  const auto running = submit(alice, on_slots(job("b", "100"), "smp", 3));
  pass();
  const auto large = submit(alice, on_slots(holding("a", "100"), "smp", 5));
  pass();
  EXPECT_EQ(held_in(large), 100);
  for (int i = 0; i < 9; ++i) {
    now = now + Duration{10};
    const auto small = submit(alice, on_slots(job("b", "100"), "smp", 1));
    const auto brief = submit(alice, on_slots(job("c", "5"), "smp", 1));
    pass();
    EXPECT_FALSE(is_active(small)) << "it would run past the promise";
    ASSERT_TRUE(is_active(brief));
    start(brief);
    end(brief);
  }
  now = now + Duration{10};
  start(running);
  end(running);
  pass();
  EXPECT_TRUE(is_active(large));
}

TEST_F(GivenHolds, WhenAReservationComesThenJobsKeepClearOfIt) {
  hosts(1, 4);
  scheduler({{"max_reservation", "1"}});
  reserve(root, on_pe(window(now.seconds + 600, 600), "smp", 4));
  const auto fits = submit(alice, job("j500", "500"));
  const auto just = submit(alice, job("j540", "540"));
  const auto too_long = submit(alice, job("j541", "541"));
  const auto endless = submit(alice, holding("endless", ""));
  pass();
  EXPECT_TRUE(is_active(fits));
  EXPECT_TRUE(is_active(just));
  EXPECT_FALSE(is_active(too_long));
  EXPECT_EQ(held_in(endless), 1200);
}

TEST_F(GivenHolds, WhenAJobEndsEarlyThenTheHoldMovesEarlierWithoutACause) {
  hosts(1, 2);
  scheduler({{"max_reservation", "5"}, {"params", "DURATION_OFFSET=0"}});
  const auto running = submit(alice, on_slots(job("run", "100"), "smp", 2));
  pass();
  start(running);
  const auto first = submit(alice, on_slots(holding("first", "50"), "smp", 2));
  const auto second = submit(alice, on_slots(holding("second", "50"), "smp", 2));
  pass();
  EXPECT_EQ(held_in(first), 100);
  EXPECT_EQ(held_in(second), 150);
  now = now + Duration{20};
  end(running);
  pass();
  EXPECT_TRUE(is_active(first));
  EXPECT_EQ(held_in(second), 50);
  EXPECT_EQ(cause(second), "");
}

TEST_F(GivenHolds, WhenAHigherPriorityComesThenTheHoldMovesLaterAndSaysWhy) {
  hosts(1, 2);
  scheduler({{"max_reservation", "5"}, {"params", "DURATION_OFFSET=0"}});
  submit(alice, on_slots(job("run", "100"), "smp", 2));
  pass();
  const auto low = submit(alice, on_slots(holding("low", "50"), "smp", 2));
  pass();
  EXPECT_EQ(held_in(low), 100);
  auto request = on_slots(holding("high", "70"), "smp", 2);
  request.priority = 100;
  const auto high = submit(root, request);
  pass();
  EXPECT_EQ(held_in(high), 100);
  EXPECT_EQ(held_in(low), 170);
  EXPECT_EQ(cause(low), "job " + std::to_string(high) + " has a higher priority");
}

TEST_F(GivenHolds, WhenAllHoldsAreGivenThenAHigherPriorityTakesThatOfTheLowest) {
  hosts(1, 2);
  scheduler({{"max_reservation", "1"}, {"params", "DURATION_OFFSET=0"}});
  submit(alice, on_slots(job("run", "100"), "smp", 2));
  pass();
  const auto low = submit(alice, on_slots(holding("low", "50"), "smp", 2));
  pass();
  auto request = on_slots(holding("high", "70"), "smp", 2);
  request.priority = 100;
  const auto high = submit(root, request);
  pass();
  EXPECT_EQ(held_in(high), 100);
  EXPECT_EQ(held_in(low), -1);
}

TEST_F(GivenHolds, WhenAJobOverrunsThenTheHoldMovesAndSaysWhy) {
  hosts(1, 1);
  scheduler({{"max_reservation", "1"}, {"params", "DURATION_OFFSET=0"}});
  const auto running = submit(alice, job("run", "100"));
  pass();
  start(running);
  const auto next = submit(alice, holding("next", "50"));
  pass();
  now = now + Duration{100};
  tell(TaskOverdue{attempt(running)});
  pass();
  EXPECT_EQ(held_in(next), 1) << "its limit has just ended it";
  now = now + Duration{64};
  pass();
  EXPECT_EQ(held_in(next), 60) << "the later, the less is known of its end";
  EXPECT_EQ(cause(next),
            "job " + std::to_string(running) + " exceeds the run time that it requested");
}

TEST_F(GivenHolds, WhenTheJobIsHeldOrDeletedThenItsHoldGoes) {
  hosts(1, 1);
  scheduler({{"max_reservation", "1"}, {"params", "DURATION_OFFSET=0"}});
  submit(alice, job("run", "100"));
  pass();
  const auto first = submit(alice, holding("first", "50"));
  const auto second = submit(alice, holding("second", "50"));
  pass();
  EXPECT_EQ(held_in(first), 100);
  EXPECT_EQ(held_in(second), -1);
  command(alice, ChangeHold{{std::to_string(first)}, {}, true, false, false, false});
  pass();
  EXPECT_EQ(held_in(first), -1);
  EXPECT_EQ(held_in(second), 100);
  command(alice, DeleteJobs{{std::to_string(second)}, {}, {}, false});
  EXPECT_EQ(planner.state().ledger().used(Container::queue({"all.q", "h1"}), "slots",
                                          {now + Duration{100}, Instant::never()}),
            0);
}

TEST_F(GivenHolds, WhenADurationIsAssumedThenHoldsCountOnItAndReservationsDoNot) {
  hosts(1, 1);
  scheduler(
      {{"max_reservation", "1"}, {"default_duration", "0:10:0"}, {"params", "DURATION_OFFSET=0"}});
  submit(alice, job("run"));
  pass();
  const auto next = submit(alice, holding("next", "50"));
  pass();
  EXPECT_EQ(held_in(next), 600);
  EXPECT_NE(command(root, Reserve{window(now.seconds + 5000, 60)}).exit_code, 0)
      << "the running job has no limit: towards a reservation it never ends";
}

TEST_F(GivenHolds, WhenAJobWithoutALimitIsHeldForThenItKeepsClearOfAllReservations) {
  hosts(1, 1);
  scheduler(
      {{"max_reservation", "2"}, {"default_duration", "0:10:0"}, {"params", "DURATION_OFFSET=0"}});
  reserve(root, window(now.seconds + 5000, 60));
  submit(alice, job("run", "100"));
  pass();
  const auto endless = submit(alice, holding("endless", ""));
  const auto brief = submit(alice, holding("brief", "600"));
  const auto wide = submit(alice, on_slots(holding("wide", ""), "smp", 1));
  pass();
  EXPECT_EQ(held_in(endless), 5060) << "nothing ends it where the reservation begins";
  EXPECT_EQ(held_in(brief), 100);
  EXPECT_EQ(held_in(wide), -1) << "two holds are all there are";
}

TEST_F(GivenHolds, WhenAParallelJobHasNoLimitThenItsHoldKeepsClearOfReservationsToo) {
  hosts(2, 1);
  scheduler(
      {{"max_reservation", "1"}, {"default_duration", "0:10:0"}, {"params", "DURATION_OFFSET=0"}});
  auto ahead = window(now.seconds + 5000, 60);
  ahead.queues = {"all.q@h1"};
  reserve(root, ahead);
  submit(alice, job("run", "100"));
  submit(alice, job("run", "100"));
  pass();
  const auto endless = submit(alice, on_slots(holding("endless", ""), "mpi", 2));
  pass();
  EXPECT_EQ(held_in(endless), 5060);
}

TEST_F(GivenHolds, WhenADurationIsMissingThenTheSettingIsRefused) {
  const auto answer =
      command(root, Configure{{ChangeVerb::modify,
                               {ObjectKind::scheduler_configuration,
                                "",
                                {{"max_reservation", "5"}, {"default_duration", "0"}}},
                               {}}});
  EXPECT_NE(text(answer).find("denied: resource reservation requires valid default duration"),
            std::string::npos);
}

TEST_F(GivenHolds, WhenAHoldIsExplainedThenItsTimePlaceAndCauseAreNamed) {
  hosts(1, 1);
  scheduler({{"max_reservation", "1"}, {"params", "DURATION_OFFSET=0"}});
  submit(alice, job("run", "100"));
  pass();
  const auto next = submit(alice, holding("next", "50"));
  pass();
  EXPECT_NE(text(planner.ask(ExplainJob{next}, now))
                .find("start planned in 00:01:40: 1 slot on all.q@h1"),
            std::string::npos)
      << text(planner.ask(ExplainJob{next}, now));
}

TEST_F(GivenHolds, WhenAJobIsExplainedThenItsOwnHoldIsNotInItsWay) {
  const auto l4 = four_of_five_licenses("DURATION_OFFSET=0");
  const auto l5 = submit(root, holding("L5", "40", "5"));
  pass();
  const auto before = planner.digest();
  now = now + Duration{10};
  const auto why = text(planner.ask(ExplainJob{l5}, now));
  EXPECT_NE(why.find("it offers only gc:license=1 (taken by job " + std::to_string(l4) + ": 4)"),
            std::string::npos)
      << why;
  EXPECT_EQ(planner.digest(), before);
  EXPECT_EQ(planner.state().ledger().used(Container::global(), "license",
                                          {now + Duration{25}, now + Duration{26}}),
            5)
      << "it is still held";
}

TEST_F(GivenHolds, WhenTheScheduleIsMonitoredThenTheSeedsRecordsComeOut) {
  const auto l4 = four_of_five_licenses("DURATION_OFFSET=0,MONITOR=1", "L4_RR");
  submit(root, holding("L5_RR", "30", "5"));
  submit(root, holding("L1_RR", "31", "1"));
  const auto lines = [&](const std::string& state) {
    return std::vector<std::string>{"::::::::",
                                    "1:1:" + state + ":1000000:30:G:global:license:4.000000",
                                    "1:1:" + state + ":1000000:30:Q:all.q@h1:slots:1.000000",
                                    "2:1:RESERVING:1000030:30:G:global:license:5.000000",
                                    "2:1:RESERVING:1000030:30:Q:all.q@h1:slots:1.000000",
                                    "3:1:RESERVING:1000060:31:G:global:license:1.000000",
                                    "3:1:RESERVING:1000060:31:Q:all.q@h1:slots:1.000000"};
  };
  EXPECT_EQ(handle(Pass{}).schedule, lines("STARTING"));
  start(l4);
  now = now + Duration{1};
  EXPECT_EQ(handle(Pass{}).schedule, lines("RUNNING"));
  reserve(root, window(now.seconds + 1000, 60));
  const auto with_reservation = handle(Pass{}).schedule;
  EXPECT_EQ(std::count(with_reservation.begin(), with_reservation.end(),
                       "0:0:RESERVING:1001001:60:Q:all.q@h1:slots:1.000000"),
            1);
}

// With DURATION_OFFSET=0 a task is told of a second after its limit has ended it (acceptance D2).
TEST_F(GivenHolds, WhenATaskEndsByItsLimitThenNobodyPassesWhatIsHeldBehindIt) {
  four_of_five_licenses("DURATION_OFFSET=0");
  const auto l5 = submit(root, holding("L5", "4", "5"));
  const auto l1 = submit(root, holding("L1", "31", "1"));
  pass();
  now = now + Duration{30};
  pass();
  EXPECT_FALSE(is_active(l1));
  EXPECT_EQ(held_in(l5), 1);
  EXPECT_EQ(cause(l5), "job 1 exceeds the run time that it requested");
  now = now + Duration{1};
  pass();
  EXPECT_EQ(held_in(l5), 1);
  EXPECT_FALSE(is_active(l1));
  end(1);
  pass();
  EXPECT_TRUE(is_active(l5));
  EXPECT_EQ(held_in(l1), 4);
}

// Each of a train of short jobs would fit before the others if the first were counted on for long.
TEST_F(GivenHolds, WhenTasksAreLateAgainAndAgainThenTheHoldStillComesToItsStart) {
  hosts(1, 2);
  scheduler({{"max_reservation", "10"}, {"params", "DURATION_OFFSET=0"}});
  auto narrow = job("narrow", "5");
  std::vector<std::int64_t> running;
  running.push_back(submit(root, narrow));
  pass();
  now = now + Duration{2};
  running.push_back(submit(root, narrow));
  pass();
  const auto wide = submit(root, on_slots(holding("wide", "5"), "fill", 2));
  for (int i = 0; i < 20; ++i) submit(root, narrow);
  pass();
  for (int second = 0; second < 8 && !is_active(wide); ++second) {
    now = now + Duration{1};
    pass();
    // What its limit has ended is told of a second later.
    for (const auto number : running)
      if (is_active(number) && find(number)->tasks.front().booked.start + Duration{6} <= now)
        end(number);
    pass();
  }
  EXPECT_TRUE(is_active(wide));
}

// s_rt only signals: it is a length for holds and none for reservations (ruling).
TEST_F(GivenHolds, WhenAJobHasOnlyASoftLimitThenHoldsCountWithItAndReservationsDoNot) {
  hosts(1, 1);
  scheduler({{"max_reservation", "10"}, {"params", "DURATION_OFFSET=0"}});
  auto soft = job("soft");
  soft.resources = {{"s_rt", "60"}};
  const auto first = submit(root, soft);
  pass();
  const auto held = submit(root, holding("held", "10"));
  pass();
  EXPECT_TRUE(find(first)->tasks.front().limit.is_endless()) << "it is not ended";
  EXPECT_EQ(held_in(held), 60);
  EXPECT_EQ(command(root, Reserve{window(now.seconds + 5000, 10)}).exit_code, 1);
  auto both = job("both", "4");
  both.resources.push_back({"s_rt", "12"});
  const auto second = submit(root, both);
  end(first);
  now = now + Duration{100};
  pass();
  end(held);
  pass();
  EXPECT_EQ(find(second)->tasks.front().limit, Duration{4});
  EXPECT_EQ(find(second)->tasks.front().booked.length(), Duration{12});
  EXPECT_EQ(command(root, Reserve{window(now.seconds + 12, 10)}).exit_code, 0);
  const auto waits = submit(root, soft);
  pass();
  EXPECT_FALSE(is_active(waits)) << "it could run into the reservation";
}

TEST_F(GivenHolds, WhenTheQueueLimitsAJobThenReservationsCountWithThat) {
  hosts(1, 1);
  change({ObjectKind::cluster_queue, "all.q", {{"h_rt", "100"}}});
  submit(root, job("runs"));
  pass();
  EXPECT_EQ(command(root, Reserve{window(now.seconds + 159, 10)}).exit_code, 1);
  EXPECT_EQ(command(root, Reserve{window(now.seconds + 160, 10)}).exit_code, 0);
}
