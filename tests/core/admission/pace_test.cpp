#include "core/admission/pace.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using RequestPace = almanac::Pace<std::string, int>;

class GivenAPace : public testing::Test {
public:
  RequestPace pace{2};
};

} // namespace

TEST_F(GivenAPace, WhenNothingIsUnheardThenARequestGoesOn) {
  EXPECT_EQ(pace.add("a", 1), 1);
  EXPECT_TRUE(pace.heard("a").empty());
  EXPECT_EQ(pace.add("a", 2), 2);
}

TEST_F(GivenAPace, WhenSomethingIsUnheardThenTheNextOnesGoTogether) {
  pace.add("a", 1);
  for (const int next : {2, 3, 4}) EXPECT_FALSE(pace.add("a", next));
  EXPECT_EQ(pace.heard("a"), (std::vector{2, 3}));
  EXPECT_FALSE(pace.add("a", 5));
  EXPECT_EQ(pace.heard("a"), (std::vector{4, 5}));
  EXPECT_TRUE(pace.heard("a").empty());
  EXPECT_TRUE(pace.heard("a").empty());
}

TEST_F(GivenAPace, WhenOneWaitsThenOthersDoNot) {
  pace.add("a", 1);
  pace.add("a", 2);
  EXPECT_EQ(pace.add("b", 3), 3);
}
