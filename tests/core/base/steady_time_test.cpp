#include "core/base/steady_time.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenAWallClock : public ::testing::Test {
public:
  using News = SteadyTime::News;
  SteadyTime time{{10'000}, 0, {}};
  std::int64_t seconds = 0;
  Duration off; ///< of the wall clock

  News news = News::none;
  std::int64_t after(std::int64_t passed) {
    seconds += passed;
    const auto reading = time.read(Instant{10'000 + seconds} + off, seconds * 1'000'000'000);
    news = reading.news;
    return reading.now.seconds - 10'000;
  }
};

} // namespace

TEST_F(GivenAWallClock, WhenItIsSetBackByAnHourThenTimeGoesOnAndItIsSaidOnce) {
  EXPECT_EQ(after(5), 5);
  off = {-3600};
  EXPECT_EQ(after(5), 10);
  EXPECT_EQ(news, News::behind);
  EXPECT_EQ(after(100), 110);
  EXPECT_EQ(news, News::none);
}

TEST_F(GivenAWallClock, WhenItLeapsAheadThenItIsFollowedOnlyAfterAWhile) {
  off = {3600};
  EXPECT_EQ(after(5), 5);
  EXPECT_EQ(news, News::leapt);
  EXPECT_EQ(after(299), 304);
  EXPECT_EQ(news, News::none);
  EXPECT_EQ(after(1), 3905);
  EXPECT_EQ(news, News::confirmed);
  EXPECT_EQ(after(1), 3906);
}

TEST_F(GivenAWallClock, WhenALeapIsTakenBackThenNothingHasHappened) {
  off = {3600};
  EXPECT_EQ(after(5), 5);
  off = {};
  EXPECT_EQ(after(5), 10);
  EXPECT_EQ(news, News::withdrawn);
}

TEST_F(GivenAWallClock, WhenItIsCorrectedByLittleThenItIsFollowed) {
  off = {30};
  EXPECT_EQ(after(5), 35);
  EXPECT_EQ(news, News::none);
}

TEST_F(GivenAWallClock, WhenTheStoreIsAheadAtTheStartThenTimeBeginsThere) {
  SteadyTime later{{10'000}, 0, {20'000}};
  EXPECT_EQ(later.read({10'005}, 5'000'000'000).now.seconds, 20'005);
}
