#include "actors/session/packet_frames.hpp"
#include "schema/codec.hpp"
#include "schema/link_frame.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

bool is_same(const Packet& one, const Packet& other) {
  return one.sequence == other.sequence && one.acknowledged == other.acknowledged &&
         one.content == other.content;
}

} // namespace

RC_GTEST_PROP(GivenPackets, WhenTheirFramesAreTakenThenTheyAreTheSame,
              (const std::vector<std::string>& contents, std::uint64_t heard)) {
  std::string bytes;
  std::vector<Packet> given;
  for (const auto& content : contents) {
    given.push_back({given.size(), heard, content});
    bytes += *frames_of(given.back());
  }
  PacketAssembly assembly;
  const auto taken = assembly.take(bytes);
  RC_ASSERT(taken.ok());
  RC_ASSERT(taken->size() == given.size());
  for (std::size_t i = 0; i < given.size(); ++i) RC_ASSERT(is_same((*taken)[i], given[i]));
}

TEST(GivenTheLongestPacket, WhenItIsSentThenItComesInPartsAndALongerOneIsNotSent) {
  const Packet longest{7, 3, std::string(largest_packet, 'x')};
  PacketAssembly assembly;
  const auto taken = assembly.take(*frames_of(longest));
  ASSERT_TRUE(taken.ok());
  ASSERT_EQ(taken->size(), 1u);
  EXPECT_TRUE(is_same(taken->front(), longest));
  EXPECT_FALSE(frames_of({8, 3, longest.content + "x"}).ok());
}

TEST(GivenPartsThatNeverEnd, WhenTheyAreTakenThenThatIsAnError) {
  const auto part = door::framed(encode(LinkFrame{1, 0, {std::string(512 << 10, 'x')}, true}));
  PacketAssembly assembly;
  bool is_taken = true;
  for (int i = 0; i < 17 && is_taken; ++i) is_taken = assembly.take(part).ok();
  EXPECT_FALSE(is_taken);
}

TEST(GivenAPartOfAnotherPacket, WhenItComesBetweenThenThatIsAnError) {
  PacketAssembly assembly;
  ASSERT_TRUE(assembly.take(door::framed(encode(LinkFrame{1, 0, {"one"}, true}))).ok());
  EXPECT_FALSE(assembly.take(door::framed(encode(LinkFrame{2, 0, {"two"}, false}))).ok());
}

TEST(GivenAFrameThatIsNoMessage, WhenItIsTakenThenThatIsAnError) {
  PacketAssembly assembly;
  EXPECT_FALSE(assembly.take(door::framed("GET / HTTP/1.0\r\n")).ok());
}
