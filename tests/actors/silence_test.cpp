// How long the far side of a session has said nothing.
#include "actors/session/silence.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenASessionThatIsOpen, WhenNothingIsHeardThenItEndsWithTheFourthBeat) {
  Silence silence;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(silence.beat(true), std::nullopt);
  EXPECT_EQ(silence.beat(true), "silent for 6 s");
}

TEST(GivenASessionThatIsOpen, WhenSomethingIsHeardThenTheBeatsAreCountedAnew) {
  Silence silence;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(silence.beat(true), std::nullopt) << i;
    silence.heard({});
    EXPECT_EQ(silence.beats(), 0);
  }
}

TEST(GivenASessionThatIsNotOpen, WhenTheFarSideOnlySendsSignsOfLifeThenItEndsAllTheSame) {
  Silence silence;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(silence.beat(false), std::nullopt);
    silence.heard({});
  }
  EXPECT_EQ(silence.beat(false), "the handshake was not finished in 10 s");
}

TEST(GivenASilence, WhenBeatsAndClockDifferThenTheShorterTimeCounts) {
  const Silence::Time then{std::chrono::seconds(1000)};
  Silence silence;
  silence.heard(then);
  EXPECT_EQ(silence.seconds(then + std::chrono::seconds(60)), 0) << "this process was held up";
  for (int i = 0; i < 3; ++i) silence.beat(true);
  EXPECT_EQ(silence.seconds(then + std::chrono::seconds(60)), 6);
  EXPECT_EQ(silence.seconds(then + std::chrono::milliseconds(4900)), 4);
}
