// When the next pass is decided.
#include "core/planning/pass_timing.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr Instant noon{43'200};

} // namespace

TEST(GivenNoPass, WhenOneIsWantedAtOnceThenItIsAndNoTimerIsSet) {
  PassTiming passes;
  EXPECT_FALSE(passes.begin_slice());
  EXPECT_FALSE(passes.want(Duration{0}));
  EXPECT_TRUE(passes.is_wanted());
  EXPECT_TRUE(passes.begin_slice());
  EXPECT_FALSE(passes.end_slice());
  EXPECT_FALSE(passes.begin_slice());
}

TEST(GivenAPassThatWasPutOff, WhenAnotherCanWaitThenItJoinsUntilASliceIsDecided) {
  PassTiming passes;
  EXPECT_EQ(passes.want(Duration{3}), Duration{3});
  EXPECT_FALSE(passes.want(Duration{5}));
  EXPECT_FALSE(passes.is_wanted());
  passes.due();
  EXPECT_TRUE(passes.begin_slice());
  EXPECT_EQ(passes.want(Duration{5}), Duration{5});
}

TEST(GivenASlice, WhenItHasLeftSomethingThenAnotherFollowsAndWhatItPutOffStaysSo) {
  PassTiming passes;
  passes.due();
  ASSERT_TRUE(passes.begin_slice());
  passes.want(Duration{0});
  EXPECT_EQ(passes.want(Duration{4}), Duration{4});
  EXPECT_TRUE(passes.end_slice());
  EXPECT_FALSE(passes.is_wanted()) << "not before the others had their turn";
  EXPECT_FALSE(passes.want(Duration{4})) << "its timer runs";
}

TEST(GivenATurnOfACalendar, WhenItIsSaidAgainThenItsTimerRunsAlready) {
  PassTiming passes;
  EXPECT_FALSE(passes.await_turn(Instant::never(), noon));
  EXPECT_EQ(passes.await_turn(noon + Duration{60}, noon), Duration{60});
  EXPECT_FALSE(passes.await_turn(noon + Duration{60}, noon + Duration{10}));
  EXPECT_EQ(passes.await_turn(noon + Duration{30}, noon + Duration{10}), Duration{20});
  EXPECT_FALSE(passes.await_turn(Instant::never(), noon));
}

TEST(GivenAHeartbeat, WhenThereAreJobsOrATurnHasComeThenAPassIsWanted) {
  PassTiming passes;
  passes.await_turn(noon, noon - Duration{1});
  passes.heartbeat(false, noon - Duration{1});
  EXPECT_FALSE(passes.is_wanted());
  passes.heartbeat(false, noon);
  EXPECT_TRUE(passes.begin_slice());
  passes.await_turn(Instant::never(), noon);
  passes.heartbeat(false, noon);
  EXPECT_FALSE(passes.is_wanted());
  passes.heartbeat(true, noon);
  EXPECT_TRUE(passes.is_wanted());
  passes.heartbeat(false, noon);
  EXPECT_TRUE(passes.is_wanted()) << "one that was wanted is not forgotten";
}
