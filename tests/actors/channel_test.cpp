#include "actors/session/channel.hpp"
#include "actors/session/packet_frames.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenLongPacketsThatComeTooEarly,
     WhenTheFirstOneComesThenNotAllWereKeptAndTheRestIsHeardLater) {
  const std::string longest(largest_packet, 'x');
  Channel channel;
  for (std::uint64_t sequence = 2; sequence <= 6; ++sequence)
    EXPECT_TRUE(channel.hear({sequence, 0, longest}).empty());
  const auto kept = Channel::most_early_bytes / largest_packet;
  EXPECT_EQ(channel.hear({1, 0, longest}).size(), 1 + kept);
  // Who sent the others says them again.
  for (std::uint64_t sequence = 2 + kept; sequence <= 6; ++sequence)
    EXPECT_EQ(channel.hear({sequence, 0, longest}).size(), 1u) << sequence;
}

TEST(GivenAFarSideThatAcknowledgesNothing, WhenMuchIsSaidThenThereIsAnEndToIt) {
  Channel many;
  for (std::size_t i = 0; i < Channel::most_unacknowledged; ++i) many.say("x");
  EXPECT_FALSE(many.is_overfull());
  many.say("x");
  EXPECT_TRUE(many.is_overfull());

  Channel long_ones;
  const std::string longest(largest_packet, 'x');
  for (std::size_t i = 0; i < Channel::most_unacknowledged_bytes / largest_packet; ++i)
    long_ones.say(longest);
  EXPECT_FALSE(long_ones.is_overfull());
  long_ones.say(longest);
  EXPECT_TRUE(long_ones.is_overfull());
}

TEST(GivenAFarSideThatAcknowledges, WhenMuchIsSaidThenOnlyWhatIsUnderWayCounts) {
  Channel channel;
  const std::string longest(largest_packet, 'x');
  for (std::uint64_t said = 1; said <= 1000; ++said) {
    channel.say(longest);
    EXPECT_EQ(channel.unacknowledged_bytes(), largest_packet);
    channel.hear({0, said, {}});
    EXPECT_EQ(channel.unacknowledged_bytes(), 0u);
  }
  EXPECT_FALSE(channel.is_overfull());
}
