#include "actors/session/packet_frames.hpp"
#include "actors/master/warrants.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenAWarrant, WhenNoLinkTakesItThenItIsNotSent) {
  Warrant warrant;
  warrant.task_name = std::string(1'000'000, 'x');
  ASSERT_TRUE(sendable(warrant));
  EXPECT_EQ(*sendable(warrant), print_warrant(warrant));
  warrant.pe_hostfile = std::string(largest_packet / 2, 'x');
  const auto refused = sendable(warrant);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.what().ends_with("bytes, at most 4194304 can be sent to a host"));
}
