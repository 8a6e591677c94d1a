#include "core/answer/gridengine.hpp"
#include "core/reservation/reservation.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

ReservationRequest request(std::int64_t start, std::int64_t end, std::int64_t duration) {
  ReservationRequest r;
  r.start = {start}, r.end = {end};
  r.has_duration = duration >= 0;
  r.duration = {std::max<std::int64_t>(0, duration)};
  return r;
}

} // namespace

// The rows of spec/reservations.md section 3; 0 and -1 stand for "not given".
TEST(GivenStartEndAndDuration, WhenSomeAreMissingThenTheWindowFollowsTheTable) {
  const Instant now{1000};
  const auto window = [&](std::int64_t a, std::int64_t e, std::int64_t d) {
    return requested_window(request(a, e, d), now);
  };
  EXPECT_EQ(*window(0, 0, 60), (Window{{1000}, {1060}}));
  EXPECT_EQ(*window(0, 1100, -1), (Window{{1000}, {1100}}));
  EXPECT_EQ(*window(0, 1100, 50), (Window{{1050}, {1100}}));
  EXPECT_EQ(*window(1010, 0, 60), (Window{{1010}, {1070}}));
  EXPECT_EQ(*window(1010, 1100, -1), (Window{{1010}, {1100}}));
  EXPECT_EQ(*window(1010, 1100, 90), (Window{{1010}, {1100}}));
  EXPECT_EQ(*window(1000, 1100, -1), (Window{{1000}, {1100}}));
}

TEST(GivenStartEndAndDuration, WhenTheyDoNotFitThenTheShippedMessageSaysWhy) {
  const auto why = [](std::int64_t a, std::int64_t e, std::int64_t d) {
    return gridengine::text_of(requested_window(request(a, e, d), {1000}).error());
  };
  const std::string missing =
      "missing value for \"end time or duration\" in advance reservation request";
  EXPECT_EQ(why(0, 0, -1), missing);
  EXPECT_EQ(why(1010, 0, -1), missing);
  EXPECT_EQ(why(0, 0, 0), missing);
  EXPECT_EQ(why(1010, 1010, -1), missing);
  EXPECT_EQ(why(1010, 1100, 60),
            "difference between end and start time does not correspond to duration");
  EXPECT_EQ(why(1100, 1010, -1), "start time is later than end time");
  EXPECT_EQ(why(999, 1100, -1), "start time is in the past");
}

TEST(GivenAReservation, WhenTimePassesThenItsStepsFollowThePhases) {
  Reservation r;
  r.phase = ReservationPhase::waiting;
  r.shape.window = {{100}, {200}};
  EXPECT_EQ(step(r, {50}).look_again.seconds, 100);
  EXPECT_FALSE(step(r, {99}).opens);
  EXPECT_TRUE(step(r, {100}).opens);
  EXPECT_TRUE(step(r, {300}).closes);
  r.phase = ReservationPhase::running;
  EXPECT_FALSE(step(r, {150}).opens);
  EXPECT_EQ(step(r, {150}).look_again.seconds, 200);
  r.phase = ReservationPhase::deleted;
  EXPECT_TRUE(step(r, {300}).look_again.is_never());
}

TEST(GivenAReservation, WhenSomethingIsWrongThenTheLetterDependsOnThePhase) {
  Reservation r;
  const auto letter = [&](ReservationPhase phase, bool bad) {
    r.phase = phase;
    r.bad = bad ? std::vector<std::string>{"reserved queue q@h is unknown"}
                : std::vector<std::string>{};
    return state_letter(r);
  };
  EXPECT_EQ(letter(ReservationPhase::waiting, false), 'w');
  EXPECT_EQ(letter(ReservationPhase::waiting, true), 'W');
  EXPECT_EQ(letter(ReservationPhase::running, false), 'r');
  EXPECT_EQ(letter(ReservationPhase::running, true), 'E');
  EXPECT_EQ(letter(ReservationPhase::deleted, true), 'd');
  EXPECT_EQ(letter(ReservationPhase::closed, true), 'x');
}
