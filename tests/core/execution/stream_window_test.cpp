// Flow control of the streams of interactive jobs and of qrsh -inherit.
#include "core/execution/stream_window.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace almanac;

TEST(GivenAWindow, WhenNobodyTakesWhatWasSentThenItClosesAndOpensAgainWithWhatIsTaken) {
  StreamWindow window(100);
  EXPECT_EQ(window.room(), 100);
  window.sent(60);
  EXPECT_EQ(window.room(), 40);
  window.sent(40);
  EXPECT_FALSE(window.is_open());
  window.taken(1);
  EXPECT_EQ(window.room(), 1);
}

TEST(GivenAWindow, WhenAReaderSaysThatItTookMoreThanThereWasThenItGetsNoMoreThanTheWindow) {
  StreamWindow window(100);
  window.sent(50);
  window.taken(1'000'000);
  EXPECT_EQ(window.room(), 100);
  window.taken(-70);
  EXPECT_EQ(window.room(), 100);
  window.sent(-70);
  EXPECT_EQ(window.room(), 100);
}

// A stream between two ends never stands still, and never has more on its way than the window.
TEST(GivenTwoEndsOfAStream, WhenTheReaderTellsWhatItTookThenAllOfItArrives) {
  std::mt19937 chance(7);
  StreamWindow window(1 << 20);
  TakenCount reader(256 << 10);
  std::int64_t left = 50 << 20, on_the_way = 0, arrived = 0;
  while (left > 0 || on_the_way > 0) {
    const auto some = static_cast<std::int64_t>(chance() % (200 << 10)) + 1;
    const auto sent = std::min({some, left, window.room()});
    window.sent(sent), left -= sent, on_the_way += sent;
    ASSERT_LE(on_the_way, 1 << 20);
    const auto read =
        std::min<std::int64_t>(on_the_way, static_cast<std::int64_t>(chance() % (200 << 10)) + 1);
    ASSERT_GT(sent + read, 0) << "it stands still";
    on_the_way -= read, arrived += read;
    window.taken(reader.take(read));
  }
  EXPECT_EQ(arrived, 50 << 20);
}
