// Signals that a command waits for instead of ending.
#include "tools/commands/caught_signals.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <poll.h>

using namespace almanac;

namespace {

CaughtSignals ends, sizes;

bool can_be_read(CaughtSignals& signals) {
  pollfd file{signals.file(), POLLIN, 0};
  return ::poll(&file, 1, 0) == 1;
}

} // namespace

TEST(GivenCaughtSignals, WhenTheyComeThenTheirFileCanBeReadAndTheLastOneIsTakenOnce) {
  EXPECT_EQ(ends.take(), 0) << "none is caught yet";
  ends.add(SIGUSR1), ends.add(SIGUSR2), sizes.add(SIGWINCH);
  EXPECT_FALSE(can_be_read(ends));
  std::raise(SIGUSR1), std::raise(SIGUSR2);
  EXPECT_TRUE(can_be_read(ends));
  EXPECT_FALSE(can_be_read(sizes)) << "another object's signals";
  EXPECT_EQ(ends.take(), SIGUSR2);
  EXPECT_EQ(ends.take(), 0);
  EXPECT_FALSE(can_be_read(ends));
  std::raise(SIGWINCH);
  EXPECT_EQ(sizes.take(), SIGWINCH);
}
