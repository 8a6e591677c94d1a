// Jobs that wait for a standing reservation (spec/beyond.md B5.404).
#include "series_fixture.hpp"

using namespace almanac;

namespace {

// Hourly windows of half an hour, from 09:00 on: reservations 2, 3 and 4 of series 1.
class GivenJobsOfASeries : public SeriesFixture {
public:
  GivenJobsOfASeries() {
    auto command = lasting(series("FREQ=DAILY;COUNT=3;BYHOUR=9,10,11", date(2026, 1, 1, 9)), 1800);
    EXPECT_EQ(this->command(root, command).exit_code, 0);
  }
  static std::int64_t at(int hour, int minute = 0) { return date(2026, 1, 1, hour - 1, minute); }
  JobRequest in(std::int64_t reservation, const std::string& limit = "") const {
    auto request = job("J", limit);
    request.reservation = {reservation};
    return request;
  }
  ReservationKey bound(std::int64_t number) const { return find(number)->reservation_key; }
  ReservationKey key(std::int64_t reservation) const { return occurrence(reservation)->key; }
};

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
  AlterReservation rest;
  rest.number = {3}, rest.options = {"-N"};
  rest.rest = true, rest.request.name = "rest";
  ASSERT_EQ(command(root, rest).number, 5);
  EXPECT_EQ(find(early)->request->reservation.value, 5);
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
