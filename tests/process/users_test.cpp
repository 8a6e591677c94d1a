#include "actors/process/users.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenWhomAnAgentNames, WhenThisMachineKnowsHimOtherwiseThenItSaysSo) {
  const auto said = [](const char* name, std::int64_t uid) {
    return contradiction({name, "", uid, uid, "n1", "the agent on n1"}).value_or("");
  };
  EXPECT_EQ(said("daemon", 1), "");
  EXPECT_EQ(said("daemon", 50'000), "\"daemon\" with uid 50000 has uid 1 here");
  EXPECT_EQ(said("somebody", 1), "\"somebody\" with uid 1 is \"daemon\" here");
  EXPECT_EQ(said("somebody", 50'000), "") << "unknown here by name and uid";
  EXPECT_EQ(said("50000", 50'000), "") << "its host has no name for it";
}

TEST(GivenWhomAnAgentNames, WhenNoUidIsSoLargeThenItIsNobodys) {
  const auto uid = (std::int64_t{1} << 32) + 1;
  EXPECT_FALSE(contradiction({"somebody", "", uid, uid, "n1", ""})) << "not that of uid 1";
}
