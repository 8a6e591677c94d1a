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
