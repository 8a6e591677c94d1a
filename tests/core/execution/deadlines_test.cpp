// When a shepherd has to look after the process of a job.
#include "core/execution/deadlines.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenNoDeadline, WhenItIsWaitedForThenThereIsNoEnd) {
  Deadlines deadlines;
  EXPECT_EQ(deadlines.wait_ms(1000), -1);
  EXPECT_FALSE(deadlines.take(Deadlines::patience, 1000));
}

TEST(GivenSeveralDeadlines, WhenTheyAreWaitedForThenTheFirstCounts) {
  Deadlines deadlines;
  deadlines.set(Deadlines::limit, 5000);
  deadlines.set(Deadlines::notice_of_suspension, 3000);
  EXPECT_EQ(deadlines.wait_ms(1000), 2000);
  deadlines.set(Deadlines::fence, 1100);
  EXPECT_EQ(deadlines.wait_ms(1000), 100);
  EXPECT_EQ(deadlines.wait_ms(9000), 0) << "it is over";
  deadlines.set(Deadlines::fence, 0);
  EXPECT_EQ(deadlines.wait_ms(1000), 2000);
  deadlines.clear();
  EXPECT_EQ(deadlines.wait_ms(1000), -1);
}

TEST(GivenADeadlineThatIsFar, WhenItIsWaitedForThenNoLongerThanAnHour) {
  Deadlines deadlines;
  deadlines.set(Deadlines::limit, 1'000'000'000'000);
  EXPECT_EQ(deadlines.wait_ms(1), 3'600'000);
}

TEST(GivenADeadline, WhenItIsReachedThenItIsToldOnce) {
  Deadlines deadlines;
  deadlines.set(Deadlines::soft_limit, 2000);
  deadlines.set(Deadlines::limit, 2000);
  EXPECT_FALSE(deadlines.take(Deadlines::soft_limit, 1999));
  EXPECT_TRUE(deadlines.take(Deadlines::soft_limit, 2000));
  EXPECT_FALSE(deadlines.take(Deadlines::soft_limit, 2001));
  EXPECT_EQ(deadlines.wait_ms(1500), 500) << "the other one is still there";
  EXPECT_TRUE(deadlines.take(Deadlines::limit, 9000));
}
