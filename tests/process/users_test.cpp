#include "actors/process/users.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenWhomAnAgentNames, WhenThisMachineKnowsHimOtherwiseThenItSaysSo) {
  const auto said = [](const char* name, std::int64_t uid) {
    return vouched({name, "", uid, uid, "n1", "the agent on n1"}).doubt;
  };
  EXPECT_EQ(said("daemon", 1), "");
  EXPECT_EQ(said("daemon", 50'000), "he is nobody: \"daemon\" with uid 50000 has uid 1 here");
  EXPECT_EQ(said("somebody", 1), "he is nobody: \"somebody\" with uid 1 is \"daemon\" here");
  EXPECT_EQ(said("somebody", 50'000), "") << "unknown here by name and uid";
  EXPECT_EQ(said("50000", 50'000), "") << "its host has no name for it";
}

TEST(GivenWhomAnAgentNames, WhenNoUidIsSoLargeThenItIsNobodys) {
  const auto uid = (std::int64_t{1} << 32) + 1;
  EXPECT_EQ(vouched({"somebody", "", uid, uid, "n1", ""}).doubt, "") << "not that of uid 1";
}

TEST(GivenWhomAnAgentNames, WhenThisMachineKnowsHisGroupThenHeIsInItOnlyIfItSaysSo) {
  const auto group = [](const char* name, std::int64_t uid, const char* group) {
    return vouched({name, group, uid, 4'000, "n1", ""}).caller.group;
  };
  EXPECT_EQ(group("daemon", 1, "daemon"), "daemon") << "its first one";
  EXPECT_EQ(group("daemon", 1, "adm"), "4000");
  EXPECT_EQ(group("somebody", 50'000, "adm"), "4000") << "the machine knows who is in adm";
  EXPECT_EQ(group("somebody", 50'000, "physics"), "physics") << "unknown here, and so believed";
  const auto both = vouched({"daemon", "adm", 1, 4'000, "n1", ""});
  EXPECT_EQ(both.caller.user, "daemon") << "he is who he is";
  EXPECT_EQ(both.doubt,
            "his group is a number: \"daemon\" with uid 1 is not known in group \"adm\" here");
}
