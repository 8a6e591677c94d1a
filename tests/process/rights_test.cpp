#include "actors/process/rights.hpp"

#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace almanac;

namespace {

// What comes of it in a process of its own: rights are given up for good.
int in_a_child(int (*what)()) {
  const auto child = ::fork();
  if (child == 0) ::_exit(what());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST(GivenPorts, WhenOneIsBelow1024ThenTheRightToItIsKept) {
  EXPECT_EQ(low_ports_for(0, 0), LowPorts::refused);
  EXPECT_EQ(low_ports_for(1024, 6444), LowPorts::refused);
  EXPECT_EQ(low_ports_for(1023, 0), LowPorts::allowed);
  EXPECT_EQ(low_ports_for(0, 1), LowPorts::allowed);
}

TEST(GivenThisMachine, WhenAUserIsNotKnownThenTheReasonSaysSo) {
  EXPECT_EQ(account_of("nobody-has-this-name").what(),
            "there is no user \"nobody-has-this-name\" on this machine");
  EXPECT_EQ(account_of("root")->uid, 0u);
  EXPECT_EQ(owner_of("/")->name, "root");
  EXPECT_FALSE(owner_of("/no such folder").ok());
}

TEST(GivenRoot, WhenItsRightsAreGivenUpThenThereIsNoWayBack) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  EXPECT_FALSE(become_for_good({"root", 0, 0}, LowPorts::refused).ok());
  EXPECT_EQ(in_a_child([] {
              if (!become_for_good({"4711", 4711, 4712}, LowPorts::undecided)) return 1;
              if (!decide_low_ports(LowPorts::refused)) return 2;
              if (::getuid() != 4711 || ::getegid() != 4712) return 3;
              if (::getgroups(0, nullptr) > 1) return 4;
              if (::setuid(0) == 0 || ::seteuid(0) == 0 || ::setgid(0) == 0) return 5;
              return decide_low_ports(LowPorts::allowed) ? 0 : 6; // nothing to decide any more
            }),
            0);
}
