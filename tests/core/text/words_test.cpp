#include "core/text/words.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenWordsOfWhichTheFirstAreEmpty, WhenTheyAreJoinedThenEachOneIsStillThere) {
  EXPECT_EQ(join({"", "a", "", "b"}, ","), ",a,,b");
  EXPECT_EQ(split(join({"", "", "a"}, ","), ','), (std::vector<std::string>{"", "", "a"}));
  EXPECT_EQ(join({}, ","), "");
}
