// h_rss by the kernel (docs/spec/cli.md C9.97): a folder stands in for a cgroup with its files.
#include "agent/shepherd/memory_limit.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace almanac;

namespace {

namespace fs = std::filesystem;

class GivenAGroup : public ::testing::Test {
public:
  const fs::path base = fs::temp_directory_path() / ("group." + std::to_string(::getpid()));
  const fs::path leaf = base / "1.0.1";
  MemoryLimit limit{{{"cpu", 1, 1}, {"rss", -1, 5000}}};

  GivenAGroup() {
    fs::create_directories(leaf);
    put(base / "cgroup.subtree_control", "");
  }
  ~GivenAGroup() override { fs::remove_all(base); }
  void with_controller() {
    put(leaf / "memory.max", "max"), put(leaf / "memory.oom.group", "0");
    put(leaf / "memory.events", "low 0\noom 0\noom_kill 0\n");
  }
  static void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
};

} // namespace

TEST_F(GivenAGroup, WhenAJobWithALimitBeginsThenTheKernelKeepsItUntilTheJobIsOver) {
  with_controller();
  limit.begin(leaf);
  EXPECT_EQ(text_of(base / "cgroup.subtree_control"), "+memory");
  EXPECT_EQ(text_of(leaf / "memory.max"), "5000");
  EXPECT_EQ(text_of(leaf / "memory.oom.group"), "1") << "all of them end";
  EXPECT_EQ(limit.exceeded(), "");
  put(leaf / "memory.events", "low 0\noom 0\noom_kill 1\n");
  EXPECT_EQ(limit.exceeded(), "") << "the machine had none left";
  put(leaf / "memory.events", "low 0\noom 1\noom_kill 3\n");
  EXPECT_EQ(limit.exceeded(), "the limit h_rss of 5000 bytes is exceeded");
  limit.end();
  EXPECT_EQ(text_of(leaf / "memory.max"), "max");
}

TEST_F(GivenAGroup, WhenItHasNoMemoryControllerThenNothingIsMadeThere) {
  limit.begin(leaf);
  put(leaf / "memory.events", "oom 1\noom_kill 1\n");
  EXPECT_EQ(limit.exceeded(), "");
  EXPECT_FALSE(fs::exists(leaf / "memory.max"));
}

TEST_F(GivenAGroup, WhenThereIsNoLimitThenTheGroupIsLeftAlone) {
  with_controller();
  MemoryLimit none{{{"vmem", 1, 1}}};
  none.begin(leaf);
  none.end();
  EXPECT_EQ(text_of(leaf / "memory.max"), "max");
  EXPECT_EQ(text_of(base / "cgroup.subtree_control"), "");
}
