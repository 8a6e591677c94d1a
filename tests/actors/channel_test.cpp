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
  EXPECT_EQ(many.overload(), std::nullopt);
  many.say("x");
  EXPECT_TRUE(many.overload());

  Channel long_ones;
  const std::string longest(largest_packet, 'x');
  for (std::size_t i = 0; i < Channel::most_unacknowledged_bytes / largest_packet; ++i)
    long_ones.say(longest);
  EXPECT_EQ(long_ones.overload(), std::nullopt);
  long_ones.say(longest);
  EXPECT_TRUE(long_ones.overload());
}

TEST(GivenAFarSideThatAcknowledges, WhenMuchIsSaidThenOnlyWhatIsUnderWayCounts) {
  Channel channel;
  EXPECT_TRUE(channel.has_room());
  const std::string longest(largest_packet, 'x');
  std::uint64_t said = 0;
  while (channel.has_room()) channel.say(longest), ++said;
  EXPECT_GE(channel.unacknowledged_bytes(), Channel::room);
  for (int i = 0; i < 40; ++i) { // together more than may ever be unacknowledged
    channel.hear({0, said, {}});
    EXPECT_TRUE(channel.has_room());
    EXPECT_EQ(channel.unacknowledged_bytes(), 0u);
    channel.say(longest), ++said;
  }
  EXPECT_EQ(channel.overload(), std::nullopt);
  for (std::size_t i = 0; i <= Channel::window; ++i) channel.say("x");
  EXPECT_FALSE(channel.has_room()) << "some could not be sent yet";
}
