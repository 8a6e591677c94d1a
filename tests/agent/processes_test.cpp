#include "agent/shepherd/processes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace almanac;

namespace {

namespace fs = std::filesystem;

// Processes that do nothing, and which of them are there.
class GivenProcesses : public testing::Test {
protected:
  ~GivenProcesses() override {
    for (const auto pid : all) ::kill(pid, SIGKILL), ::waitpid(pid, nullptr, 0);
  }

  pid_t sleeper(const std::string& marker, const std::string& cgroup = "") {
    const auto variable = "ALMANAC_TASK=" + marker;
    const auto child = fork_into(cgroup);
    if (child == 0) {
      const char* environment[] = {variable.c_str(), nullptr};
      ::execle("/bin/sleep", "sleep", "1000", nullptr, environment);
      ::_exit(127);
    }
    all.push_back(child);
    // Before that it has the environment of this process.
    while (!marker.empty() && !is_seen(child, marker)) ::usleep(1000);
    return child;
  }
  static bool is_seen(pid_t pid, const std::string& marker) {
    const auto found = marked_processes(marker);
    return std::find(found.begin(), found.end(), pid) != found.end();
  }
  static bool has_ended(pid_t pid) {
    siginfo_t facts{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &facts, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           facts.si_pid == pid;
  }
  static bool ends(pid_t pid) {
    for (int round = 0; round < 10'000 && !has_ended(pid); ++round) ::usleep(1000);
    return has_ended(pid);
  }

  const std::string own = "processes-test-" + std::to_string(::getpid());
  std::vector<pid_t> all;
};

} // namespace

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

TEST_F(GivenProcesses, WhenATaskIsEndedThenItsGroupIsAndNotOneOfALongerName) {
  const auto base = cgroup_base("almanac-" + own);
  if (base.empty()) GTEST_SKIP() << "no cgroup v2 to write to";
  const auto leaf = base + "/1.0.1", other = base + "/1.0.10";
  ASSERT_TRUE(make_cgroup(leaf) && make_cgroup(other));
  // Whatever it has made of its environment and of who its parent is.
  const auto inside = sleeper("", leaf), beside = sleeper("", other);
  end_leftovers(leaf, own + "-nobody");
  EXPECT_TRUE(ends(inside));
  EXPECT_FALSE(has_ended(beside));
  end_leftovers(other, own + "-nobody");
  EXPECT_TRUE(ends(beside));
  EXPECT_FALSE(fs::exists(base));
}

TEST_F(GivenProcesses, WhenATaskIsEndedThenThoseWithItsMarkerAreAndNotThoseOfALongerOne) {
  const auto marked = sleeper(own + ".1.0.1"), longer = sleeper(own + ".1.0.10"),
             other = sleeper(own + ".2.0.1");
  end_leftovers("", own + ".1.0.1");
  EXPECT_TRUE(ends(marked));
  EXPECT_FALSE(has_ended(longer));
  EXPECT_FALSE(has_ended(other));
}

TEST_F(GivenProcesses, WhenThoseBelowOneAreSignalledThenItselfAndThoseBesideItAreNot) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const auto root = ::fork();
  if (root == 0) {
    const auto child = ::fork();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nothing is left of a test that fails
    const auto tells = child == 0 && ::write(ready[1], "x", 1) == 1;
    if (child != 0) ::close(ready[0]), ::close(ready[1]), ::waitpid(child, nullptr, 0);
    if (tells || child != 0)
      for (;;) ::pause();
    ::_exit(1);
  }
  all.push_back(root);
  const auto beside = sleeper(own + ".beside");
  char told = 0;
  ASSERT_EQ(::read(ready[0], &told, 1), 1);
  const auto below = descendants(root);
  ASSERT_EQ(below.size(), 1U);
  signal_descendants(root, SIGKILL);
  for (int round = 0; round < 10'000 && !descendants(root).empty(); ++round) ::usleep(1000);
  EXPECT_TRUE(descendants(root).empty());
  EXPECT_FALSE(has_ended(root));
  EXPECT_FALSE(has_ended(beside));
  ::close(ready[0]), ::close(ready[1]);
}
