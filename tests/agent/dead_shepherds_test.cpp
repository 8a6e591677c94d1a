// Code 17 of accounting (docs/spec/cli.md C9.48): who knows that a signal ended a shepherd.
#include "agent/helper/dead_shepherds.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace almanac;

namespace {

pid_t child(int signal) {
  const auto pid = ::fork();
  if (pid != 0) return pid;
  if (signal > 0) ::kill(::getpid(), signal);
  ::_exit(0);
}

std::string progress_of(pid_t pid) { return "shepherd " + std::to_string(pid) + "\nstarting\n"; }

} // namespace

TEST(GivenAShepherd, WhenASignalEndedItThenThatIsKnownWhoeverWaitedForIt) {
  DeadShepherds dead;
  const auto waited_for_here = child(SIGKILL);
  EXPECT_TRUE(dead.has(progress_of(waited_for_here)));
  EXPECT_TRUE(dead.has(progress_of(waited_for_here))) << "also the next time";
  const auto waited_for = child(SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(waited_for, &status, 0), waited_for);
  dead.take(waited_for, status);
  EXPECT_TRUE(dead.has(progress_of(waited_for)));
}

TEST(GivenAShepherd, WhenItExitedOrIsNoneThenNoSignalEndedIt) {
  DeadShepherds dead;
  EXPECT_FALSE(dead.has(progress_of(child(0))));
  EXPECT_FALSE(dead.has(progress_of(::getpid()))) << "no child";
  for (const auto* text : {"", "shepherd ", "shepherd x\n", "shepherd -1\n", "starting\n"})
    EXPECT_FALSE(dead.has(text)) << text;
}
