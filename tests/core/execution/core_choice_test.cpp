// C3.51: which cores of a host a task gets.
#include "core/execution/core_choice.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

// Sockets of cores: a capital letter is free, a small one is taken ("CCc Ccc").
std::vector<HostCore> host(const std::string& text) {
  std::vector<HostCore> cores;
  CoreName name;
  for (const char letter : text)
    if (letter == ' ') name = {name.socket + 1, 0};
    else {
      cores.push_back({name, {static_cast<std::int64_t>(cores.size())}, letter == 'C'});
      ++name.core;
    }
  return cores;
}

std::string chosen(const std::string& binding, const std::string& cores) {
  return print_cores(choose_cores(*parse_core_binding(binding), host(cores)));
}

} // namespace

TEST(GivenFreeCores, WhenALinearBindingIsChosenThenAnEmptySocketComesFirst) {
  EXPECT_EQ(chosen("linear:2", "CCC CCC"), "0,0:0,1");
  EXPECT_EQ(chosen("linear:2", "cCC CCC"), "1,0:1,1");
}

TEST(GivenFreeCores, WhenOneSocketIsNotEnoughThenThatWithMostFreeCoresFollows) {
  EXPECT_EQ(chosen("linear:4", "ccC CCC cCC"), "1,0:1,1:1,2:2,1");
  EXPECT_EQ(chosen("linear:2", "ccC cCC"), "1,1:1,2") << "none is empty";
}

TEST(GivenFreeCores, WhenTheFirstIsNamedThenTheNextOnesFollowOrNone) {
  EXPECT_EQ(chosen("linear:2:0,1", "CCC CCC"), "0,1:0,2");
  EXPECT_EQ(chosen("linear:2:0,1", "CCc CCC"), "");
  EXPECT_EQ(chosen("linear:1:5,0", "CCC"), "") << "no such core";
  EXPECT_EQ(chosen("striding:2:2:0,1", "CCC CCC"), "0,1:1,0");
}

TEST(GivenFreeCores, WhenAStridingBindingIsChosenThenItBeginsWhereAllAreFree) {
  EXPECT_EQ(chosen("striding:2:2", "CCCC"), "0,0:0,2");
  EXPECT_EQ(chosen("striding:2:2", "cCCC"), "0,1:0,3");
  EXPECT_EQ(chosen("striding:3:2", "CCCC"), "") << "it goes beyond the last one";
}

TEST(GivenFreeCores, WhenCoresAreNamedThenAllOfThemAreFreeOrNoneIsTaken) {
  EXPECT_EQ(chosen("explicit:1,0:0,0", "CC CC"), "1,0:0,0");
  EXPECT_EQ(chosen("explicit:1,0:0,0", "cC CC"), "");
  EXPECT_EQ(chosen("explicit:2,0", "CC CC"), "");
}

TEST(GivenTooFewCores, WhenABindingIsChosenThenItIsNotMet) {
  EXPECT_EQ(chosen("linear:3", "CC"), "");
  EXPECT_EQ(chosen("linear:1", ""), "");
  EXPECT_EQ(chosen("linear:slots", "CC"), "") << "nobody has said how many these are";
}

TEST(GivenAHostFile, WhenCoresAreChosenThenTheFourthColumnNamesThem) {
  EXPECT_EQ(hostfile_with_cores("h1 2 q@h1 UNDEFINED\nh2 1 q@h2 0,5\n", {{0, 0}, {1, 0}}),
            "h1 2 q@h1 0,0:1,0\nh2 1 q@h2 0,0:1,0\n");
}
