// Jobs that give way when a reservation that preempts begins (spec/plus.md P5.4, P5.5, P5.8 to P5.15).
#include "preempting_fixture.hpp"

#include "core/job/exit_record.hpp"
#include "core/planning/questions/schedule_trace.hpp"

using namespace almanac;

namespace {

class GivenReservationsThatPreempt : public PreemptingFixture {};

} // namespace

// ---- admission: plus.md P5.8, P5.9 --------------------------------------------------------------

TEST_F(GivenReservationsThatPreempt, WhenJobsRunThenTheyAreNotInTheWay) {
  for (const auto* host : {"h1", "h2", "h3", "h4"}) runs(on(host, 4));
  EXPECT_NE(command(root, Reserve{on_pe(window(now.seconds + 600, 1000), "fill", 1)}).exit_code, 0)
      << "qrsub stops no job (P5.8)";
  const auto first = granted(preempting(600, 10));
  EXPECT_EQ(letter(first), 'w');
  EXPECT_NE(prepare(preempting(700, 7)).exit_code, 0) << "other reservations are";
  EXPECT_EQ(letter(granted(preempting(700, 6))), 'w');
}

TEST_F(GivenReservationsThatPreempt, WhenOthersAskForItsSlotsThenItIsAReservationAsAnyOther) {
  granted(preempting(600, 16));
  EXPECT_NE(command(root, Reserve{on_pe(window(now.seconds + 600, 10), "fill", 1)}).exit_code, 0);
  EXPECT_EQ(command(root, Reserve{on_pe(window(now.seconds, 600), "fill", 16)}).exit_code, 0);
}

TEST_F(GivenReservationsThatPreempt, WhenItIsOnlyHeldThenItBooksTheSame) {
  runs(on("h1", 4));
  const auto held = prepare(preempting(600, 16));
  ASSERT_EQ(held.exit_code, 0) << text(held);
  EXPECT_TRUE(is_active(waits_or_starts(on("h2", 4)))) << "jobs start beside it";
  EXPECT_NE(command(root, Reserve{on_pe(window(now.seconds + 600, 10), "fill", 1)}).exit_code, 0);
  EXPECT_EQ(settle(held.number, false).exit_code, 0);
  EXPECT_EQ(prepare(preempting(600, 1)).exit_code, 0);
}

// A job in a reservation belongs to it.
TEST_F(GivenReservationsThatPreempt, WhenAJobRunsInAReservationThenThatIsInTheWay) {
  const auto other = reserve(root, on_pe(window(now.seconds, 5000), "fill", 16));
  pass();
  runs(inside(other, 16));
  EXPECT_NE(prepare(preempting(600, 1)).exit_code, 0);
}

// ---- until the start: plus.md P5.4, P5.10 -------------------------------------------------------

TEST_F(GivenReservationsThatPreempt, WhenItsStartIsToComeThenJobsFillItsSlots) {
  granted(preempting(600, 16));
  runs(on("h1", 4)), runs(on("h2", 4, "5000"));
  runs(on("h3", 4, "600"));
  auto holding = on("h4", 4);
  holding.reserve = true;
  runs(holding);
  EXPECT_FALSE(is_active(waits_or_starts(on("h1", 1)))) << "other jobs are in the way as ever";
}

TEST_F(GivenReservationsThatPreempt, WhenTheSiteAvoidsItThenJobsThatCouldOutlastTheStartWait) {
  params("PLUS_FILL=false");
  granted(preempting(600, 16));
  EXPECT_FALSE(is_active(waits_or_starts(on("h1", 1))));
  EXPECT_FALSE(is_active(waits_or_starts(on("h2", 1, "601"))));
  runs(on("h3", 1, "600"));
}

// ---- the start: plus.md P5.5, P5.11, P5.13 ------------------------------------------------------

TEST_F(GivenReservationsThatPreempt, WhenItBeginsThenJobsGiveWayFirst) {
  const auto number = granted(preempting(600, 8));
  EXPECT_EQ(places(number), "h1=4 h2=4");
  const auto first = runs(on("h1", 4)), second = runs(on("h2", 4)), beside = runs(on("h3", 4));
  const auto user = waits_or_starts(inside(number, 8));
  later(600);
  ASSERT_TRUE(is_put_back(first) && is_put_back(second));
  EXPECT_FALSE(task(beside).deleting);
  EXPECT_EQ(task(first).reason,
            "advance reservation " + std::to_string(number) + " has begun on its slots");
  EXPECT_EQ(letter(number), 'w') << "it waits for them";
  EXPECT_EQ(reservation(number).others_end_since, now);
  const auto late = waits_or_starts(on("", 4, "10"));
  EXPECT_EQ(task(late).grants.front().instance.host, "h4") << "its hosts are closed";
  EXPECT_FALSE(is_active(waits_or_starts(on("", 1, "10"))));

  const auto accounted = end_as_told(first);
  ASSERT_EQ(accounted.size(), 1u);
  EXPECT_EQ(accounted.front().record.failed, failed::rescheduled);
  EXPECT_EQ(letter(number), 'w');
  EXPECT_FALSE(is_active(user));
  end_as_told(second);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_TRUE(is_active(user));

  for (const auto job : {first, second}) {
    ASSERT_TRUE(find(job)) << "under the same number";
    EXPECT_FALSE(is_active(job));
    EXPECT_TRUE(task(job).restarted);
    EXPECT_FALSE(find(job)->is_held());
    EXPECT_EQ(find(job)->owner.user, "alice");
    EXPECT_TRUE(task(job).gives_way_to.empty());
  }
}

TEST_F(GivenReservationsThatPreempt, WhenNobodyIsInItsWayThenItBeginsAtOnce) {
  const auto number = granted(preempting(600, 4, "h1"));
  const auto ends = runs(on("h1", 4, "600"));
  later(599);
  end(ends);
  later(1);
  EXPECT_EQ(letter(number), 'r');
}

TEST_F(GivenReservationsThatPreempt, WhenItBeginsAtOnceThenJobsGiveWayAtOnce) {
  const auto job = runs(on("h1", 4));
  const auto number = reserve(root, preempting(0, 4, "h1"));
  EXPECT_TRUE(is_put_back(job));
  EXPECT_EQ(letter(number), 'w');
  end_as_told(job);
  EXPECT_EQ(letter(number), 'r');
}

TEST_F(GivenReservationsThatPreempt, WhenThereIsRoomForSomeThenTheYoungestGiveWay) {
  const auto number = granted(preempting(600, 2, "h1"));
  const auto oldest = runs(on("h1", 1));
  later(10);
  const auto old = runs(on("h1", 1));
  later(10);
  const auto young = runs(on("h1", 2));
  later(580);
  EXPECT_FALSE(task(oldest).deleting);
  EXPECT_FALSE(task(old).deleting);
  EXPECT_TRUE(is_put_back(young));
  end_as_told(young);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_TRUE(is_active(oldest) && is_active(old));
}

TEST_F(GivenReservationsThatPreempt, WhenItTakesWholeHostsThenAllOnThemGiveWay) {
  auto request = preempting(600, 2, "h1");
  request.pe.clear(), request.slots.clear();
  request.nodes = 1, request.whole_nodes = true;
  auto reserved = granted(request);
  const auto job = runs(on("h1", 1));
  later(600);
  EXPECT_TRUE(is_put_back(job));
  EXPECT_EQ(letter(reserved), 'w');
}

// What it has of the whole cell, jobs on other hosts hold.
TEST_F(GivenReservationsThatPreempt, WhenAJobElsewhereHoldsWhatItHasOfTheCellThenThatGivesWay) {
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("license", "lic INT <= YES YES 0 0");
  change(table);
  change({ObjectKind::exec_host, "global", {{"complex_values", "license=2"}}});
  auto with_license = on("h4", 1);
  with_license.resources.push_back({"license", "2"});
  const auto holder = runs(with_license), other = runs(on("h4", 1));
  auto request = preempting(600, 1, "h1");
  request.resources.push_back({"license", "1"});
  const auto number = granted(request);
  later(600);
  EXPECT_TRUE(is_put_back(holder));
  EXPECT_FALSE(task(other).deleting);
  end_as_told(holder);
  EXPECT_EQ(letter(number), 'r');
}

// ---- who comes back: plus.md P5.12, P5.14, P5.15 ------------------------------------------------

TEST_F(GivenReservationsThatPreempt, WhenAJobMayNotRunAgainThenItIsPutBackAllTheSame) {
  const auto job = runs(on("h1", 4, "", Rerun::no));
  granted(preempting(600, 4, "h1"));
  later(600);
  EXPECT_TRUE(is_put_back(job));
}

TEST_F(GivenReservationsThatPreempt, WhenTheSiteKillsThemThenOnlyThoseThatMayComeBack) {
  params("PLUS_NORERUN=kill");
  const auto once = runs(on("h1", 2, "", Rerun::no)), again = runs(on("h1", 2, "", Rerun::yes));
  const auto number = granted(preempting(600, 4, "h1"));
  later(600);
  EXPECT_TRUE(task(once).deleting && task(once).after_end == AfterEnd::gone);
  EXPECT_TRUE(is_put_back(again));
  end_as_told(once), end_as_told(again);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_FALSE(find(once));
  EXPECT_TRUE(find(again));
}

TEST_F(GivenReservationsThatPreempt, WhenTheSiteRefusesThenTheirHostsAreNoCandidates) {
  params("PLUS_NORERUN=refuse");
  runs(on("h1", 1, "", Rerun::no)), runs(on("h2", 1, "", Rerun::yes));
  runs(on("h3", 1, "600", Rerun::no));
  const auto refused = prepare(preempting(600, 16));
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_TRUE(says(refused, "host \"h1\" has job 1, which may not be run again")) << text(refused);
  const auto number = granted(preempting(600, 12));
  EXPECT_EQ(places(number), "h2=4 h3=4 h4=4");
  EXPECT_FALSE(is_active(waits_or_starts(on("h4", 1, "", Rerun::no)))) << "it could not give way";
  EXPECT_TRUE(is_active(waits_or_starts(on("h4", 1, "", Rerun::yes))));
}

TEST_F(GivenReservationsThatPreempt, WhenAJobIsInteractiveThenItEnds) {
  auto request = on("h1", 4);
  request.interaction = Interaction::terminal;
  const auto job = runs(request);
  const auto number = granted(preempting(600, 4, "h1"));
  later(600);
  EXPECT_TRUE(task(job).deleting && task(job).after_end == AfterEnd::gone);
  end_as_told(job);
  EXPECT_FALSE(find(job));
  EXPECT_EQ(letter(number), 'r');
}

TEST_F(GivenReservationsThatPreempt, WhenAnArrayIsTouchedThenThatTaskGivesWay) {
  auto request = array(2);
  request.pe = "smp", request.slots = {{4, 4}}, request.queues = {"*@h1", "*@h2"};
  const auto job = waits_or_starts(request);
  start(job, 1), start(job, 2);
  const auto host_of_first = find(job)->find(1)->grants.front().instance.host;
  const auto number = granted(preempting(600, 4, host_of_first));
  later(600);
  EXPECT_TRUE(find(job)->find(1)->deleting);
  EXPECT_FALSE(find(job)->find(2)->deleting);
  end_as_told(job, 1);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(find(job)->active_tasks(), 1);
  EXPECT_EQ(find(job)->find(1)->state, TaskState::pending);
}

TEST_F(GivenReservationsThatPreempt, WhenOneHostOfAParallelJobIsTouchedThenAllOfItGivesWay) {
  auto request = on("", 8);
  request.pe = "fill", request.queues = {"*@h1", "*@h2"};
  const auto job = runs(request);
  const auto number = granted(preempting(600, 4, "h2"));
  later(600);
  EXPECT_TRUE(is_put_back(job));
  end_as_told(job);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_FALSE(is_active(job)) << "only h1 is free";
}

// A parallel job in the way of two that begin one after the other: neither has its slots before the end.
TEST_F(GivenReservationsThatPreempt, WhenAJobIsInTheWayOfTwoThenBothWaitForIt) {
  const auto first = granted(preempting(600, 4, "h1")), second = granted(preempting(610, 4, "h2"));
  auto request = on("", 8);
  request.pe = "fill", request.queues = {"*@h1", "*@h2"};
  const auto both = runs(request);
  later(600), later(10);
  EXPECT_TRUE(is_put_back(both));
  EXPECT_EQ(letter(first), 'w');
  EXPECT_EQ(letter(second), 'w');
  end_as_told(both);
  EXPECT_EQ(letter(first), 'r');
  EXPECT_EQ(letter(second), 'r');
}

// P5.5 P5.11
TEST_F(GivenReservationsThatPreempt, WhenOneThatRunsGetsMoreThenJobsThereGiveWay) {
  auto request = window(now.seconds + 10, 1'000);
  request.nodes = 1, request.whole_nodes = request.preempts = true, request.queues = {"*@h1"};
  const auto number = granted(request);
  later(10);
  ASSERT_EQ(letter(number), 'r');
  const auto there = runs(on("h2", 2)), elsewhere = runs(on("h3", 2));
  PrepareReservation more{"more", {number}, ReservationVerb::change, {}, {0}};
  more.request.nodes = 2, more.request.queues = {"*@h1", "*@h2"};
  ASSERT_EQ(command(root, more).exit_code, 0) << text(command(root, more));
  EXPECT_TRUE(is_put_back(there));
  EXPECT_FALSE(task(elsewhere).deleting);
  end_as_told(there);
  EXPECT_FALSE(is_active(there) && task(there).grants.front().instance.host == "h2");
}

// ---- what does not go as it should --------------------------------------------------------------

TEST_F(GivenReservationsThatPreempt, WhenAHostCannotBeReachedThenNobodyWaitsForIt) {
  const auto number = granted(preempting(600, 8));
  const auto lost = runs(on("h1", 4)), there = runs(on("h2", 4));
  later(600);
  lose("h1");
  EXPECT_EQ(letter(number), 'W') << "the other one is waited for";
  end_as_told(there);
  EXPECT_EQ(letter(number), 'E');
  EXPECT_TRUE(is_active(lost));
}

TEST_F(GivenReservationsThatPreempt, WhenTheLastOneIsLostThenItBegins) {
  const auto number = granted(preempting(600, 8));
  const auto lost = runs(on("h1", 4)), there = runs(on("h2", 4));
  later(600);
  end_as_told(there);
  EXPECT_EQ(letter(number), 'w');
  lose("h1");
  EXPECT_EQ(letter(number), 'E');
  EXPECT_TRUE(task(lost).deleting);
}

TEST_F(GivenReservationsThatPreempt, WhenAHostWasLostBeforeThenItBeginsAtOnce) {
  const auto number = granted(preempting(600, 4, "h1"));
  runs(on("h1", 4));
  lose("h1");
  later(600);
  EXPECT_EQ(letter(number), 'E');
}

TEST_F(GivenReservationsThatPreempt, WhenAJobDoesNotDieThenItBeginsAllTheSame) {
  const auto number = granted(preempting(600, 4, "h1"));
  const auto job = runs(on("h1", 4));
  const auto user = waits_or_starts(inside(number, 4));
  later(600);
  later(longest_giving_way.seconds - 1);
  EXPECT_EQ(letter(number), 'w');
  EXPECT_FALSE(task(job).gives_way_to.empty()) << "it is asked to end (P5.11)";
  later(1);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_TRUE(is_put_back(job) && task(job).gives_way_to.empty()) << "now it is killed";
  EXPECT_FALSE(is_active(user)) << "its slots are not free yet (R10.10)";
  end_as_told(job);
  EXPECT_TRUE(is_active(user));
}

TEST_F(GivenReservationsThatPreempt, WhenTwoWaitForAJobThatDoesNotDieThenItIsKilledForBoth) {
  const auto first = granted(preempting(600, 4, "h1")), second = granted(preempting(610, 4, "h2"));
  auto request = on("", 8);
  request.pe = "fill", request.queues = {"*@h1", "*@h2"};
  const auto both = runs(request);
  later(600), later(10);
  ASSERT_EQ(task(both).gives_way_to.size(), 2u);
  later(longest_giving_way.seconds - 10);
  EXPECT_EQ(letter(first), 'r');
  EXPECT_TRUE(is_put_back(both) && task(both).gives_way_to.empty()) << "now it is killed";
  EXPECT_EQ(letter(second), 'r');
}

TEST_F(GivenReservationsThatPreempt, WhenItsStartIsPutOffMeanwhileThenItWaitsForThat) {
  const auto number = granted(preempting(600, 4, "h1"));
  const auto job = runs(on("h1", 4));
  later(600);
  ASSERT_TRUE(is_put_back(job));
  AlterReservation put_off;
  put_off.number = {number}, put_off.options = {"-a"};
  put_off.request.start = now + Duration{7'200};
  // Others are in its way until they have ended.
  EXPECT_NE(command(root, put_off).exit_code, 0);
  PrepareReservation change{"later", {number}, ReservationVerb::change, {}, {0}};
  change.request.start = now + Duration{900};
  ASSERT_EQ(command(root, change).exit_code, 0) << text(command(root, change));
  EXPECT_EQ(reservation(number).others_end_since, Instant{});
  end_as_told(job);
  EXPECT_EQ(letter(number), 'w');
  later(longest_giving_way.seconds);
  EXPECT_EQ(letter(number), 'w');
  EXPECT_TRUE(is_active(job)) << "its slots are free until then";
  later(900 - longest_giving_way.seconds);
  EXPECT_TRUE(is_put_back(job)) << "and it gives way again";
}

TEST_F(GivenReservationsThatPreempt, WhenItIsChangedMeanwhileThenOthersGetNoMoreTime) {
  const auto number = granted(preempting(600, 4, "h1"));
  const auto job = runs(on("h1", 4));
  later(600), later(200);
  PrepareReservation change{"longer", {number}, ReservationVerb::change, {}, {0}};
  change.request.duration = {1'500}, change.request.has_duration = true;
  ASSERT_EQ(command(root, change).exit_code, 0);
  later(longest_giving_way.seconds - 201);
  EXPECT_EQ(letter(number), 'w');
  later(1);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_TRUE(task(job).gives_way_to.empty());
}

TEST_F(GivenReservationsThatPreempt, WhenAJobEndsByItselfMeanwhileThenThatIsItsEnd) {
  const auto number = granted(preempting(600, 4, "h1"));
  const auto job = runs(on("h1", 4));
  later(600);
  end(job);
  EXPECT_FALSE(find(job));
  EXPECT_EQ(letter(number), 'r');
}

TEST_F(GivenReservationsThatPreempt, WhenItIsDeletedMeanwhileThenJobsComeBackToItsSlots) {
  const auto number = granted(preempting(600, 4, "h1"));
  const auto job = runs(on("h1", 4));
  later(600);
  DeleteReservations removed;
  removed.targets = {std::to_string(number)};
  ASSERT_EQ(command(root, removed).exit_code, 0);
  end_as_told(job);
  EXPECT_TRUE(is_active(job));
  EXPECT_EQ(letter(number), '-');
}

TEST_F(GivenReservationsThatPreempt, WhenTheMasterIsStartedAgainThenItStillWaits) {
  const auto number = granted(preempting(600, 4, "h1"));
  const auto job = runs(on("h1", 4));
  later(600);
  planner = *Planner::restore(planner.state().records().copy());
  EXPECT_EQ(letter(number), 'w');
  end_as_told(job);
  EXPECT_EQ(letter(number), 'r');
  EXPECT_TRUE(planner.state().records().followers_agree());
}

// ---- holds --------------------------------------------------------------------------------------

TEST_F(GivenReservationsThatPreempt, WhenAPlaceIsHeldInItsWindowThenThatMovesWithItsCause) {
  for (const auto* host : {"h1", "h2", "h3", "h4"}) runs(on(host, 4, "500"));
  auto request = on("h1", 4, "2000");
  request.reserve = true;
  const auto holder = waits_or_starts(request);
  ASSERT_FALSE(find(holder)->holds.empty());
  EXPECT_EQ(find(holder)->holds.front().window.start, now + Duration{500});
  const auto number = granted(preempting(600, 4, "h1"));
  pass();
  ASSERT_FALSE(find(holder)->holds.empty());
  EXPECT_EQ(find(holder)->holds.front().window.start, reservation(number).shape.window.end);
  EXPECT_EQ(find(holder)->holds.front().cause, "advance reservation " + std::to_string(number) +
                                                   " was granted over it, as it preempts jobs");
}

TEST_F(GivenReservationsThatPreempt, WhenItIsAlteredThenPlacesThatAreHeldMoveToo) {
  const auto number = granted(preempting(5'000, 4, "h1"));
  for (const auto* host : {"h1", "h2", "h3", "h4"}) runs(on(host, 4, "500"));
  auto request = on("h1", 4, "2000");
  request.reserve = true;
  const auto holder = waits_or_starts(request);
  ASSERT_FALSE(find(holder)->holds.empty());
  ASSERT_EQ(find(holder)->holds.front().window.start, now + Duration{500});
  AlterReservation earlier;
  earlier.number = {number}, earlier.options = {"-a"};
  earlier.request.start = now + Duration{600};
  ASSERT_EQ(command(root, earlier).exit_code, 0) << text(command(root, earlier));
  pass();
  ASSERT_FALSE(find(holder)->holds.empty());
  EXPECT_EQ(find(holder)->holds.front().window.start, reservation(number).shape.window.end);
}

TEST_F(GivenReservationsThatPreempt, WhenItBeginsThenAPlaceThatIsHeldMakesNoJobGiveWay) {
  const auto number = granted(preempting(600, 2, "h1"));
  const auto stays = runs(on("h1", 2));
  auto request = on("h1", 3);
  request.reserve = true;
  const auto holder = waits_or_starts(request);
  later(600);
  EXPECT_FALSE(is_active(holder));
  EXPECT_FALSE(task(stays).deleting);
  EXPECT_EQ(letter(number), 'r');
}

// ---- how it is told -----------------------------------------------------------------------------

TEST_F(GivenReservationsThatPreempt, WhenJobsGiveWayThenTheScheduleFileSaysMigrating) {
  const auto job = runs(on("h1", 4));
  auto request = on("h2", 4);
  request.interaction = Interaction::streams;
  const auto interactive = runs(request);
  granted(preempting(600, 8));
  later(600);
  for (const auto id : {job, interactive}) {
    const auto lines = schedule_trace(planner.state(), now);
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.starts_with(std::to_string(id) + ":") && says(line, ":MIGRATING:");
    }));
  }
}
