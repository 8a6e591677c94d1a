// Jobs that wait for a standing reservation (spec/beyond.md B5.404).
#include "series_jobs_fixture.hpp"

using namespace almanac;

namespace {

class GivenJobsOfASeries : public JobsOfASeriesFixture {};

} // namespace

TEST_F(GivenJobsOfASeries, WhenAnOccurrenceIsOpenThenTheyRunInIt) {
  const auto number = submit(root, in(1, "600"));
  EXPECT_EQ(bound(number), key(2));
  pass();
  EXPECT_FALSE(is_active(number));
  go_on(at(9));
  pass();
  ASSERT_TRUE(is_active(number));
  start(number), end(number);
  EXPECT_FALSE(find(number));
}

// B5.4041
TEST_F(GivenJobsOfASeries, WhenTheOccurrenceEndsThenWhatRunsIsKilledAndTheRestWaits) {
  auto request = in(1);
  request.tasks = {1, 2, 1};
  request.pe = "fill", request.slots = {{4, 4}};
  const auto number = submit(root, request);
  go_on(at(9));
  pass();
  ASSERT_EQ(find(number)->active_tasks(), 1);
  start(number, 1);
  go_on(at(9, 30));
  tell(ReservationDue{key(2)});
  EXPECT_TRUE(find(number)->find(1)->deleting);
  EXPECT_EQ(bound(number), key(2));
  end(number, 137, 1);
  ASSERT_TRUE(find(number));
  EXPECT_EQ(find(number)->waiting_tasks(), 1);
  EXPECT_EQ(bound(number), key(3));
  EXPECT_EQ(letter(2), '-');
  go_on(at(10));
  pass();
  EXPECT_TRUE(is_active(number));
}

// B5.4045, B12.31: whoever is told why a task has ended hears of the occurrence.
TEST_F(GivenJobsOfASeries, WhenOneIsCutShortThenItsRecordNamesTheOccurrence) {
  const auto number = submit(root, in(1, "1500"));
  go_on(at(9));
  pass();
  ASSERT_TRUE(is_active(number));
  start(number);
  AlterReservation shorter;
  shorter.number = {2}, shorter.options = {"-d"}, shorter.force = true;
  shorter.request.duration = {600}, shorter.request.has_duration = true;
  const auto answer = command(root, shorter);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  const auto* task = find(number)->find(0);
  now = task->ended_at;
  tell(TaskOverdue{{task->job, 0, task->attempt}});
  ASSERT_TRUE(find(number)->find(0)->deleting);
  const auto& reason = find(number)->find(0)->reason;
  EXPECT_NE(reason.find("advance reservation 2 "), std::string::npos) << reason;
}

// B5.4043
TEST_F(GivenJobsOfASeries, WhenTheyNameAnOccurrenceThenTheyGoWithIt) {
  const auto named = submit(root, in(2)), any = submit(root, in(1));
  command(root, DeleteReservations{{"2"}, {}, false});
  EXPECT_FALSE(find(named));
  EXPECT_EQ(bound(any), key(3));
}

// B5.404: J4 against the longest
TEST_F(GivenJobsOfASeries, WhenTheyNeedMoreThanTheLongestThenTheyAreRefused) {
  const auto answer = command(root, Submit{in(1, "1800"), "hash"});
  EXPECT_EQ(answer.exit_code, 1) << text(answer);
  EXPECT_NE(text(answer).find("00:30:00"), std::string::npos) << text(answer);
}

// B5.4042
TEST_F(GivenJobsOfASeries, WhenTheSeriesHasNoneLeftThenTheyGo) {
  auto request = in(1);
  request.held_by_user = true;
  const auto number = submit(root, request);
  go_on(at(11, 29));
  EXPECT_EQ(bound(number), key(4));
  go_on(at(11, 30));
  EXPECT_FALSE(find(number));
  EXPECT_FALSE(standing());
  EXPECT_TRUE(windows().empty());
}

// B5.40531
TEST_F(GivenJobsOfASeries, WhenTheRestIsASeriesOfItsOwnThenTheyGoOnWithIt) {
  auto request = in(1);
  request.held_by_user = true;
  const auto early = submit(root, request);
  ASSERT_EQ(command(root, rest_from(3, "rest")).number, 5);
  EXPECT_EQ(find(early)->request->reservation.value, 1);
  EXPECT_EQ(bound(early), key(2));
  go_on(at(9, 30));
  EXPECT_FALSE(standing(1));
  ASSERT_TRUE(find(early));
  EXPECT_EQ(bound(early), key(3));
  go_on(at(10, 30));
  ASSERT_TRUE(find(early));
  EXPECT_EQ(bound(early), key(4));
  go_on(at(11, 30));
  EXPECT_FALSE(find(early));
}

// B5.40531
TEST_F(GivenJobsOfASeries, WhenTheRestIsSplitInAnyOrderThenTheyWaitForTheFirstThatIsLeft) {
  auto request = in(1);
  request.held_by_user = true;
  const auto number = submit(root, request);
  ASSERT_EQ(command(root, rest_from(4, "late")).number, 5);
  ASSERT_EQ(command(root, rest_from(3, "mid")).number, 6);
  const auto late = submit(root, in(5));
  EXPECT_EQ(bound(number), key(2));
  EXPECT_EQ(bound(late), key(4));
  remove({"2"});
  EXPECT_FALSE(standing(1));
  ASSERT_TRUE(find(number));
  EXPECT_EQ(bound(number), key(3));
  EXPECT_EQ(bound(submit(root, in(1))), key(3));
  remove({"3"});
  EXPECT_FALSE(standing(6));
  ASSERT_TRUE(find(number));
  EXPECT_EQ(bound(number), key(4));
  remove({"5"});
  EXPECT_FALSE(find(number));
  EXPECT_FALSE(find(late));
}

// B5.40531
TEST_F(GivenJobsOfASeries, WhenTheRestIsSplitTwiceThenTheyGoOnWithItsOwnOccurrences) {
  auto request = in(1);
  request.held_by_user = true;
  const auto number = submit(root, request);
  ASSERT_EQ(command(root, rest_from(3, "mid")).number, 5);
  ASSERT_EQ(command(root, rest_from(4, "late")).number, 6);
  remove({"2"});
  EXPECT_EQ(bound(number), key(3));
  remove({"mid"});
  ASSERT_TRUE(find(number));
  EXPECT_EQ(bound(number), key(4));
}

// B5.40531
TEST_F(GivenJobsOfASeries, WhenTheRestLeavesNothingOfTheSeriesThenTheyGoOnWithIt) {
  auto request = in(1);
  request.held_by_user = true;
  const auto number = submit(root, request);
  go_on(at(9));
  ASSERT_EQ(command(root, rest_from(3, "once")).number, 5);
  ASSERT_EQ(command(root, rest_from(3, "twice")).number, 6);
  EXPECT_FALSE(standing(5));
  remove({"2"});
  ASSERT_TRUE(find(number));
  EXPECT_EQ(bound(number), key(3));
}

// B5.40531
TEST_F(GivenJobsOfASeries, WhenAConflictIsGrantedLaterThenTheyComeIntoIt) {
  reserve(root, on_pe(window(at(13), 1800), "fill", 16)); // 5
  auto command = lasting(series("FREQ=DAILY;COUNT=3;BYHOUR=13,14,15", date(2026, 1, 1, 13)), 1800);
  ASSERT_EQ(this->command(root, waiting(command)).number, 6); // 7 and 8
  const auto number = submit(root, in(6));
  EXPECT_EQ(bound(number), key(7));
  ASSERT_EQ(this->command(root, rest_from(7, "rest")).number, 9);
  remove({"5"});
  pass();
  ASSERT_TRUE(occurrence(10));
  EXPECT_EQ(occurrence(10)->series.value, 6);
  EXPECT_EQ(bound(number), key(10));
}

// B5.4052
TEST_F(GivenJobsOfASeries, WhenAnEarlierOneIsAddedThenTheyComeIntoIt) {
  const auto number = submit(root, in(1));
  AlterReservation more;
  more.number = {1}, more.options = {"-repeat", "-a"};
  more.recurrence.rule = "FREQ=DAILY;COUNT=4;BYHOUR=8,9,10,11";
  more.recurrence.first = date(2026, 1, 1, 8);
  ASSERT_EQ(command(root, more).exit_code, 0);
  EXPECT_EQ(bound(number), key(5));
}

// B5.40532
TEST_F(GivenJobsOfASeries, WhenTheyFitIntoTheRestNoMoreThenItIsRefusedByTheirNames) {
  auto wide = in(1, "500");
  wide.pe = "fill", wide.slots = {{3, 3}};
  const auto number = submit(root, wide);
  ASSERT_EQ(bound(number), key(2));
  auto rest = rest_from(2, "rest");
  rest.options = {"-pe"}, rest.request.pe = "fill", rest.request.slots = {{2, 2}};
  const auto before = planner.digest();
  auto answer = command(root, rest);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("job 1"), std::string::npos) << text(answer);
  EXPECT_EQ(planner.digest(), before);
  rest.options = {"-d"}, rest.request.duration = {300}, rest.request.has_duration = true;
  answer = command(root, rest);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("job 1"), std::string::npos) << text(answer);
  EXPECT_EQ(planner.digest(), before);
  auto others = rest;
  others.options = {"-d", "-repeat"}, others.rest = false, others.number = {1};
  others.recurrence.rule = "FREQ=DAILY;COUNT=3;BYHOUR=13,14,15";
  answer = command(root, others);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("job 1"), std::string::npos) << text(answer);
  EXPECT_EQ(planner.digest(), before);
  rest.force = true;
  EXPECT_EQ(command(root, rest).exit_code, 0);
  EXPECT_TRUE(find(number)->held_by_user);
  EXPECT_EQ(bound(number), key(2));
}

// B5.40532, B12.05
TEST_F(GivenJobsOfASeries, WhenSeveralAreInTheWayThenAllAreListed) {
  const auto any = submit(root, in(1, "1200"));
  const auto third = submit(root, in(3, "1000")), fourth = submit(root, in(4, "900"));
  AlterReservation shorter;
  shorter.number = {1}, shorter.options = {"-d"};
  shorter.request.duration = {600}, shorter.request.has_duration = true;
  const auto before = planner.digest();
  const auto said = text(command(root, shorter));
  for (const auto* line : {"job 1 no longer fits", "job 2 no longer fits", "job 3 no longer fits"})
    EXPECT_NE(said.find(line), std::string::npos) << said;
  EXPECT_EQ(said.find("was not changed"), said.rfind("was not changed")) << said;
  EXPECT_TRUE(said.ends_with("advance reservation 1 was not changed\n")) << said;
  EXPECT_EQ(planner.digest(), before);
  shorter.options = {"-repeat", "-d"};
  shorter.recurrence.rule = "FREQ=DAILY;COUNT=2;BYHOUR=9,10";
  const auto vanishing = text(command(root, shorter));
  for (const auto* line : {"job 1 no longer fits", "job 2 no longer fits", "job 3 is bound to"})
    EXPECT_NE(vanishing.find(line), std::string::npos) << vanishing;
  EXPECT_EQ(planner.digest(), before);
  shorter.options = {"-d"}, shorter.force = true;
  EXPECT_EQ(command(root, shorter).exit_code, 0);
  for (const auto number : {any, third, fourth}) EXPECT_TRUE(find(number)->held_by_user);
}

// B5.40532
TEST_F(GivenJobsOfASeries, WhenOneIsChangedAloneThenTheyWaitForOthersThatTheyFitInto) {
  auto wide = in(1, "500");
  wide.pe = "fill", wide.slots = {{3, 3}};
  const auto number = submit(root, wide);
  AlterReservation shorter;
  shorter.number = {2}, shorter.options = {"-d"};
  shorter.request.duration = {300}, shorter.request.has_duration = true;
  auto answer = command(root, shorter);
  EXPECT_EQ(text(answer), "root modified advance reservation 2\n");
  EXPECT_EQ(bound(number), key(3));
  AlterReservation smaller;
  smaller.number = {3}, smaller.options = {"-pe"};
  smaller.request.pe = "fill", smaller.request.slots = {{2, 2}};
  answer = command(root, smaller);
  EXPECT_EQ(text(answer), "root modified advance reservation 3\n");
  EXPECT_FALSE(find(number)->held_by_user);
  shorter.number = {4};
  const auto before = planner.digest();
  answer = command(root, shorter);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("job 1 no longer fits"), std::string::npos) << text(answer);
  EXPECT_EQ(planner.digest(), before);
  shorter.force = true;
  EXPECT_EQ(command(root, shorter).exit_code, 0);
  EXPECT_TRUE(find(number)->held_by_user);
}

// B5.40532
TEST_F(GivenJobsOfASeries, WhenTheRestIsForOthersThenTheyStayWithWhatIsLeft) {
  const auto number = submit(root, in(1, "500"));
  auto change = rest_from(3, "");
  change.options = {"-u"}, change.request.users = {"nobody"};
  auto answer = command(root, change);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_FALSE(find(number)->held_by_user);
  EXPECT_EQ(bound(number), key(2));
  change.number = {2}, change.rest = false;
  answer = command(root, change);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("may not use the reservation any more"), std::string::npos)
      << text(answer);
}

// B5.40532
TEST_F(GivenJobsOfASeries, WhenTheyRunInTheChangedOneThenTheRestOfThemIsNotHeld) {
  auto request = in(1, "500");
  request.tasks = {1, 2, 1};
  request.pe = "fill", request.slots = {{4, 4}};
  const auto number = submit(root, request);
  go_on(at(9));
  pass();
  start(number, 1);
  auto change = rest_from(2, "");
  change.options = {"-u"}, change.request.users = {"nobody"}, change.rest = false;
  const auto answer = command(root, change);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("job 1"), std::string::npos) << text(answer);
  change.force = true;
  EXPECT_EQ(command(root, change).exit_code, 0);
  EXPECT_FALSE(find(number)->held_by_user);
}

// B5.40532, B12.32
TEST_F(GivenJobsOfASeries, WhenTheRunningOneIsFullThenAChangeOfTheOthersListsThem) {
  auto change = rest_from(1, "");
  change.options = {"-u"}, change.request.users = {"root", "alice"}, change.rest = false;
  ASSERT_EQ(command(root, change).exit_code, 0);
  auto full = in(1);
  full.pe = "fill", full.slots = {{4, 4}};
  const auto runs = submit(root, full);
  const auto longer = submit(root, in(1, "1000")), others = submit(alice, in(1));
  go_on(at(9));
  pass();
  ASSERT_TRUE(is_active(runs));
  start(runs);
  change.options = {"-d", "-u"}, change.request.users = {"root"};
  change.request.duration = {900}, change.request.has_duration = true;
  const auto before = planner.digest();
  const auto said = text(command(root, change));
  EXPECT_NE(said.find("job 2 no longer fits"), std::string::npos) << said;
  EXPECT_NE(said.find("job 3: its user \"alice\" may not use"), std::string::npos) << said;
  EXPECT_EQ(said.find("job 1"), std::string::npos) << said;
  EXPECT_EQ(planner.digest(), before);
  change.force = true;
  EXPECT_EQ(command(root, change).exit_code, 0);
  for (const auto number : {longer, others}) EXPECT_TRUE(find(number)->held_by_user);
}

// B5.4046
TEST_F(GivenJobsOfASeries, WhenTheLastThatTakesThemEndsThenTheyAreHeldAndTheirOwnerHearsOfIt) {
  auto full = in(1, "600");
  full.pe = "fill", full.slots = {{4, 4}};
  const auto runs = submit(root, full);
  const auto longer = submit(root, in(1, "1000")), any = submit(root, in(1));
  go_on(at(9));
  pass();
  ASSERT_TRUE(is_active(runs));
  start(runs);
  AlterReservation shorter;
  shorter.number = {1}, shorter.options = {"-d"};
  shorter.request.duration = {900}, shorter.request.has_duration = true;
  const auto answer = command(root, shorter);
  ASSERT_EQ(answer.exit_code, 0) << text(answer); // it still has room
  for (const auto number : {longer, any}) EXPECT_FALSE(find(number)->held_by_user);
  now = {at(9, 30)};
  std::vector<std::int64_t> told;
  for (const auto& effect : handle(ReservationDue{key(2)}).effects)
    if (const auto* letter = std::get_if<Letter>(&effect);
        letter && letter->occasion == Occasion::job_changed) {
      told.push_back(letter->number);
      EXPECT_NE(letter->note.find("no occurrence of advance reservation 1"), std::string::npos);
    }
  EXPECT_EQ(told, Times{longer});
  EXPECT_TRUE(find(longer)->held_by_user);
  EXPECT_FALSE(find(any)->held_by_user);
  EXPECT_EQ(bound(any), key(3));
}

// B5.4057
TEST_F(GivenJobsOfASeries, WhenTheirOccurrenceVanishesFromTheRestThenTheyWaitForTheNext) {
  const auto number = submit(root, in(1));
  go_on(at(9, 30));
  ASSERT_EQ(bound(number), key(3));
  AlterReservation rest;
  rest.number = {3}, rest.options = {"-repeat"}, rest.rest = true;
  rest.recurrence.rule = "FREQ=DAILY;COUNT=2;BYHOUR=9,11";
  const auto answer = command(root, rest);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_FALSE(occurrence(3));
  ASSERT_TRUE(find(number));
  EXPECT_EQ(bound(number), key(4));
}

// reservations T10
TEST_F(GivenJobsOfASeries, WhenTheyOnlyWaitThenADeletedOccurrenceIsGoneAtOnce) {
  auto request = in(1);
  request.held_by_user = true;
  const auto number = submit(root, request);
  auto answer = command(root, DeleteReservations{{"2"}, {}, false});
  EXPECT_EQ(text(answer), "root has deleted advance_reservation 2\n");
  EXPECT_FALSE(occurrence(2));
  ASSERT_EQ(command(root, rest_from(4, "rest")).number, 5);
  answer = command(root, DeleteReservations{{"1"}, {}, false});
  EXPECT_EQ(text(answer), "root has deleted advance reservation 1 with 1 occurrences\n");
  EXPECT_FALSE(occurrence(3));
  EXPECT_EQ(bound(number), key(4));
}

// B5.4065
TEST_F(GivenJobsOfASeries, WhenTheSeriesIsDeletedThenNoNewOnesComeToItsRest) {
  auto request = in(1);
  request.held_by_user = true;
  const auto before = submit(root, request), outside = submit(root, job("J", "600"));
  ASSERT_EQ(command(root, rest_from(3, "rest")).number, 5);
  remove({"1"});
  EXPECT_EQ(bound(before), key(3));
  ASSERT_EQ(command(root, rest_from(4, "late")).number, 6);
  auto answer = command(root, Submit{in(1), "hash"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("the advance reservation id 1 is invalid"), std::string::npos)
      << text(answer);
  AlterJobs change;
  change.targets = {std::to_string(outside)}, change.options = {"-ar"};
  change.request.reservation = {1};
  answer = command(root, change);
  EXPECT_NE(text(answer).find("the advance reservation id 1 is invalid"), std::string::npos)
      << text(answer);
  EXPECT_EQ(bound(submit(root, in(5))), key(3));
  remove({"5"});
  EXPECT_EQ(bound(before), key(4));
  EXPECT_EQ(command(root, Submit{in(5), "hash"}).exit_code, 1);
  EXPECT_EQ(bound(submit(root, in(6))), key(4));
}

TEST_F(GivenJobsOfASeries, WhenTheSeriesIsDeletedThenTheyGo) {
  const auto number = submit(root, in(1));
  command(root, DeleteReservations{{"1"}, {}, false});
  EXPECT_FALSE(find(number));
}

TEST_F(GivenJobsOfASeries, WhenAJobIsBoundByAlteringItThenItWaitsForTheFirst) {
  const auto number = submit(root, job("J", "600"));
  AlterJobs command;
  command.targets = {std::to_string(number)}, command.options = {"-ar"};
  command.request.reservation = {1};
  EXPECT_EQ(this->command(root, command).exit_code, 0);
  EXPECT_EQ(bound(number), key(2));
}
