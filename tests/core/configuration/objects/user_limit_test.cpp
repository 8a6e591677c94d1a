#include "core/configuration/objects/user_limit.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

std::string refusal(const std::string& text) {
  const auto limit = UserLimit::parse(text, 1000);
  return limit ? "taken" : limit.what();
}

} // namespace

// B10.1
TEST(GivenALimitForUsers, WhenItIsReadThenItHasAFirstValueAndExceptionsInTheirOrder) {
  const auto limit = UserLimit::parse("10,[ann=INFINITY], [@staff=1000]", 1000);
  ASSERT_TRUE(limit.ok()) << limit.what();
  EXPECT_EQ(limit->most, 10);
  ASSERT_EQ(limit->exceptions.size(), 2U);
  EXPECT_EQ(limit->exceptions[0].of, "ann");
  EXPECT_EQ(limit->exceptions[0].most, std::nullopt);
  EXPECT_EQ(limit->exceptions[1].of, "@staff");
  EXPECT_EQ(limit->exceptions[1].most, 1000);
  EXPECT_EQ(limit->lists(), std::vector<std::string>{"staff"});
  EXPECT_EQ(UserLimit::parse("infinity", 1000)->most, std::nullopt);
  EXPECT_EQ(UserLimit::parse("0", 1000)->most, 0) << "0 means none";
}

TEST(GivenALimitForUsers, WhenItIsMalformedThenWhatIsWrongIsNamed) {
  for (const char* text : {"", "many", "-1", "1001", "10,[ann=]", "10,[ann=1001]", "[ann=1]"})
    EXPECT_NE(refusal(text).find("is neither INFINITY nor a number up to 1000"), std::string::npos)
        << text << ": " << refusal(text);
  for (const char* text : {"10,", "10,ann=1", "10,[ann]", "10,[ann=1"})
    EXPECT_NE(refusal(text).find("is neither [user=number] nor [@userset=number]"),
              std::string::npos)
        << text << ": " << refusal(text);
  EXPECT_EQ(refusal("10,[ann=1],[ann=2]"), "\"ann\" is named twice");
  EXPECT_NE(refusal("10,[=1]"), "taken");
  EXPECT_NE(refusal("10,[@=1]"), "taken");
}
