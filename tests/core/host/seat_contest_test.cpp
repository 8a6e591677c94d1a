// Two agents with the key of one host.
#include "core/host/seat_contest.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenASeatThatIsTaken, WhenAnotherComesForTheFirstTimeThenNobodyIsKnownToBeAlive) {
  SeatContest contest;
  EXPECT_EQ(contest.rival(Instant{100}), Rival::there);
  contest.taken_over();
  EXPECT_EQ(contest.rival(Instant{106}), Rival::there);
}

TEST(GivenASeatThatIsTaken, WhenItIsTakenTwiceInAShortTimeThenBothAreAlive) {
  SeatContest contest;
  for (const auto at : {Instant{100}, Instant{103}}) {
    EXPECT_EQ(contest.rival(at), Rival::there);
    contest.taken_over();
  }
  EXPECT_EQ(contest.rival(Instant{106}), Rival::lively);
  EXPECT_EQ(contest.rival(Instant{116}), Rival::there) << "that was long ago";
}

TEST(GivenSomebodyWhoWasSentAway, WhenTheOneInTheSeatSpeaksLaterThenItIsAlive) {
  SeatContest contest;
  EXPECT_EQ(contest.rival(Instant{100}), Rival::there);
  contest.sent_away(Instant{100});
  contest.heard(Instant{101});
  EXPECT_EQ(contest.rival(Instant{101}), Rival::there) << "it may have been on its way";
  contest.sent_away(Instant{101});
  contest.heard(Instant{102});
  EXPECT_EQ(contest.rival(Instant{103}), Rival::lively);
  contest.taken_over();
  EXPECT_EQ(contest.rival(Instant{104}), Rival::there) << "another one is in the seat";
}
