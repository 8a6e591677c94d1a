#include "core/request/named.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenAListOfWords, WhenItIsEmptyThenAllAreMeant) {
  Named named({});
  EXPECT_TRUE(named.takes(1, "x"));
  EXPECT_TRUE(named.unknown().empty());
}

TEST(GivenAListOfWords, WhenNumbersAndPatternsAreInItThenTheyMeanWhatTheySay) {
  Named named({"3", "a*", "nosuch", "12"});
  EXPECT_TRUE(named.takes(3, "x"));
  EXPECT_TRUE(named.takes(4, "ab"));
  EXPECT_FALSE(named.takes(5, "b"));
  EXPECT_EQ(named.unknown(), (std::vector<std::string>{"nosuch", "12"}));
}

// spec/reservations.md R8.8
TEST(GivenAListOfReservations, WhenALetterStandsBeforeANumberThenItIsTheNumberOrAName) {
  Named named({"R12", "12", "R13", "R"}, 'R');
  EXPECT_TRUE(named.takes(12, "x"));
  EXPECT_TRUE(named.takes(1, "R13"));
  EXPECT_FALSE(named.takes(2, ""));
  EXPECT_EQ(named.unknown(), std::vector<std::string>{"R"});
  EXPECT_FALSE(Named({"R12"}).takes(12, "x")) << "a job has no such letter";
}

TEST(GivenAListOfWords, WhenARecordHasNoNameThenNoPatternMeansIt) {
  EXPECT_FALSE(Named({"*"}).takes(1, ""));
}
