// What is booked where and when, and whether it is the same.
#include "core/utilization/ledger.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

const std::vector<Booking> three{{Container::host("h1"), "lic", 3}};
const Window window{{10}, {20}};

} // namespace

TEST(GivenLedgers, WhenOneHasSomethingBookedThatNobodyNamesThenTheyDiffer) {
  Ledger one, other;
  EXPECT_TRUE(one == other);
  one.book(three, window);
  EXPECT_FALSE(one == other);
  EXPECT_FALSE(other == one);
  other.book(three, window);
  EXPECT_TRUE(one == other);
  other.release(three, window);
  other.book(three, {{10}, {21}});
  EXPECT_FALSE(one == other);
}

TEST(GivenLedgers, WhenAllOfAPlaceIsGivenBackThenItIsAsGoodAsNeverBooked) {
  Ledger one, other;
  one.book(three, window), one.release(three, window);
  EXPECT_TRUE(one == other);
  EXPECT_TRUE(other == one);
}
