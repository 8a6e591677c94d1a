#include "agent/no_programs.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace almanac;

TEST(GivenAProcessThatForbidsPrograms, WhenItStartsOneThenItFailsAndAllElseGoesOn) {
  const auto child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!forbid_programs()) ::_exit(1);
    ::execl("/bin/true", "true", nullptr);
    if (errno != EPERM) ::_exit(2);
    const auto grandchild = ::fork();
    if (grandchild == 0)
      ::_exit(::execl("/bin/true", "true", nullptr) == -1 && errno == EPERM ? 7 : 3);
    int status = 0;
    ::waitpid(grandchild, &status, 0);
    ::_exit(WEXITSTATUS(status));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}
