#include "agent/processes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

using namespace almanac;

// Whoever kills an agent, or takes its folder away, finds nothing of it in the machine's groups.
TEST(GivenAnAgentsCgroup, WhenItHasNoTasksThenItIsNotThere) {
  const auto base = cgroup_base("almanac-test-" + std::to_string(::getpid()));
  if (base.empty()) GTEST_SKIP() << "no cgroup v2 to write to";
  EXPECT_FALSE(std::filesystem::exists(base));
  const auto first = base + "/1.0.1", second = base + "/2.0.1";
  EXPECT_TRUE(make_cgroup(first));
  EXPECT_TRUE(make_cgroup(second));
  EXPECT_TRUE(make_cgroup(second)) << "it is there already";
  remove_cgroup(first);
  EXPECT_TRUE(std::filesystem::exists(second));
  remove_cgroup(second);
  EXPECT_FALSE(std::filesystem::exists(base));
}
