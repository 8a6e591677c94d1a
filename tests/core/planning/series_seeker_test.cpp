// Jobs of a series that is gone, and what was made a series of its own of its rest (spec/beyond.md B5.4065).
#include "series_jobs_fixture.hpp"

using namespace almanac;

namespace {

class GivenJobsOfADeletedSeries : public JobsOfASeriesFixture {};

} // namespace

// B5.4065
TEST_F(GivenJobsOfADeletedSeries, WhenItsRestDoesNotTakeThemThenTheyGoWithTheSeries) {
  auto wide = in(1);
  wide.pe = "fill", wide.slots = {{3, 3}};
  const auto stays = submit(root, in(1, "200")), longer = submit(root, in(1, "500"));
  const auto wider = submit(root, wide);
  auto rest = rest_from(3, "");
  rest.options = {"-d", "-pe"}, rest.request.pe = "fill", rest.request.slots = {{2, 2}};
  rest.request.duration = {300}, rest.request.has_duration = true;
  ASSERT_EQ(command(root, rest).exit_code, 0);
  EXPECT_EQ(told_of_aborted(DeleteReservations{{"1"}, {}, false}), (Times{longer, wider}));
  EXPECT_EQ(bound(stays), key(3));
  EXPECT_FALSE(find(longer));
  EXPECT_FALSE(find(wider));
}

// B5.4065
TEST_F(GivenJobsOfADeletedSeries, WhenItsRestIsForOthersThenThoseThatWereHeldGoWithTheSeries) {
  const auto number = submit(root, in(1, "500"));
  auto rest = rest_from(3, "");
  rest.options = {"-u"}, rest.request.users = {"nobody"};
  ASSERT_EQ(command(root, rest).exit_code, 0);
  AlterReservation shorter;
  shorter.number = {2}, shorter.options = {"-d"}, shorter.force = true;
  shorter.request.duration = {300}, shorter.request.has_duration = true;
  ASSERT_EQ(command(root, shorter).exit_code, 0);
  ASSERT_TRUE(find(number)->held_by_user);
  EXPECT_EQ(told_of_aborted(DeleteReservations{{"1"}, {}, false}), Times{number});
  EXPECT_FALSE(find(number));
}

// B5.4042
TEST_F(GivenJobsOfADeletedSeries, WhenItsRestDoesNotTakeThemThenTheyGoAtItsEnd) {
  auto request = in(1, "500");
  request.held_by_user = true;
  const auto number = submit(root, request);
  auto rest = rest_from(3, "");
  rest.options = {"-u"}, rest.request.users = {"nobody"};
  ASSERT_EQ(command(root, rest).exit_code, 0);
  go_on(at(9, 29));
  EXPECT_TRUE(find(number));
  go_on(at(9, 30));
  EXPECT_FALSE(find(number));
}

// B5.4065
TEST_F(GivenJobsOfADeletedSeries, WhenWhatComesOfItsRestWouldTakeThemThenTheyWait) {
  const auto number = submit(root, in(1, "500"));
  reserve(root, on_pe(window(at(10) + 86400, 1800), "fill", 16)); // 5
  auto rest = rest_from(3, "");
  rest.options = {"-repeat", "-conflict"}, rest.recurrence.waits = true;
  rest.recurrence.rule = "FREQ=DAILY;COUNT=2;BYHOUR=10";
  ASSERT_EQ(command(root, rest).number, 6);
  ASSERT_EQ(standing(6)->conflicts.size(), 1u);
  AlterReservation shorter;
  shorter.number = {3}, shorter.options = {"-d"};
  shorter.request.duration = {300}, shorter.request.has_duration = true;
  ASSERT_EQ(command(root, shorter).exit_code, 0);
  remove({"1"});
  EXPECT_TRUE(find(number));
}

// B5.4065
TEST_F(GivenJobsOfADeletedSeries, WhenItsRestDoesNotTakeThemThenWhatRunsInItStays) {
  auto request = in(1, "1000");
  request.tasks = {1, 2, 1};
  request.pe = "fill", request.slots = {{4, 4}};
  const auto number = submit(root, request);
  ASSERT_EQ(command(root, rest_from(4, "late")).number, 5);
  ASSERT_EQ(command(root, rest_from(3, "mid")).number, 6);
  remove({"2"});
  ASSERT_FALSE(standing(1));
  ASSERT_EQ(bound(number), key(3));
  go_on(at(10));
  pass();
  ASSERT_EQ(find(number)->active_tasks(), 1);
  start(number, 1);
  auto late = rest_from(4, "");
  late.options = {"-u"}, late.request.users = {"nobody"}, late.rest = false, late.number = {5};
  late.force = true; // its waiting task is in the way
  ASSERT_EQ(command(root, late).exit_code, 0);
  go_on(at(10, 20));
  remove({"5"});
  ASSERT_TRUE(find(number));
  EXPECT_EQ(find(number)->active_tasks(), 1);
  EXPECT_EQ(find(number)->waiting_tasks(), 0);
  EXPECT_FALSE(find(number)->find(1)->deleting);
}
