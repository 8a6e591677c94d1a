#include "tools/commands/waiting_line.hpp"

#include <gtest/gtest.h>

#include <string>
#include <unistd.h>

using namespace almanac;

namespace {

// What comes out of the pipe until it is closed.
std::string all_of(int file) {
  std::string text;
  char piece[256];
  for (ssize_t size = 0; (size = ::read(file, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(size));
  return text;
}

class GivenAPipe : public ::testing::Test {
public:
  GivenAPipe() { EXPECT_EQ(::pipe(ends), 0); }
  ~GivenAPipe() override { ::close(ends[0]); }
  std::string written() {
    ::close(ends[1]);
    return all_of(ends[0]);
  }
  int ends[2] = {-1, -1};
};

} // namespace

// C6.73
TEST_F(GivenAPipe, WhenTheAnswerTakesLongThenThatIsSaidAndWipedOut) {
  {
    WaitingLine line(ends[1], true, std::chrono::milliseconds(1));
    char first = 0;
    ASSERT_EQ(::read(ends[0], &first, 1), 1); // it has said something
    EXPECT_EQ(first, '\r');
  }
  const auto text = written();
  EXPECT_EQ(text.find("waiting for the master: 1 s"), 0U) << text;
  EXPECT_TRUE(text.ends_with("\r\033[K"));
}

TEST_F(GivenAPipe, WhenSomethingElseIsAwaitedThenItIsNamed) {
  {
    WaitingLine line(ends[1], true, std::chrono::milliseconds(1), "job 7");
    char first = 0;
    ASSERT_EQ(::read(ends[0], &first, 1), 1);
  }
  EXPECT_EQ(written().find("waiting for job 7: 1 s"), 0U);
}

TEST_F(GivenAPipe, WhenTheAnswerIsThereOrNobodyLooksThenNothingIsSaid) {
  {
    WaitingLine quick(ends[1], true, std::chrono::hours(1));
    quick.end();
    const WaitingLine unseen(ends[1], false, std::chrono::milliseconds(1));
  }
  EXPECT_EQ(written(), "");
}
