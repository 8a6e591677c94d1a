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

// docs/spec/cli.md C2.20
TEST(GivenAListOfJobs, WhenTasksFollowANumberThenItsJobIsMeant) {
  Named named({"3.1", "4.1-5:2", "5.", "6.0", "7.x", "8.1.2", ".1"}, 0, Named::Of::jobs);
  EXPECT_TRUE(named.takes(3, "x"));
  EXPECT_TRUE(named.takes(4, ""));
  EXPECT_TRUE(named.takes(9, "7.x")) << "it may be a name, too";
  for (const std::int64_t number : {5, 6, 7, 8, 1}) EXPECT_FALSE(named.takes(number, "x"));
  EXPECT_EQ(named.unknown(), (std::vector<std::string>{"5.", "6.0", "8.1.2", ".1"}));
  EXPECT_FALSE(Named({"3.1"}, 'R').takes(3, "x")) << "a reservation has no tasks";
}

// docs/spec/cli.md C2.14
TEST(GivenAListOfJobs, WhenAWordIsAnExpressionThenItIsTriedOnNames) {
  Named named({"ab|c*", "!x&!y*", "(a"}, 0, Named::Of::jobs);
  EXPECT_TRUE(named.takes(1, "ab"));
  EXPECT_TRUE(named.takes(2, "cd"));
  EXPECT_FALSE(named.takes(3, "yes"));
  EXPECT_EQ(named.unknown(), std::vector<std::string>{"(a"});
  EXPECT_FALSE(Named({"ab|c"}, 'R').takes(1, "ab"));
}

TEST(GivenAListOfWords, WhenARecordHasNoNameThenNoPatternMeansIt) {
  EXPECT_FALSE(Named({"*"}).takes(1, ""));
}
