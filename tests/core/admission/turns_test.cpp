#include "core/admission/turns.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace almanac;

TEST(GivenTurns, WhenOneSendsManyThenTheOthersComeInBetween) {
  Turns<int, std::string> turns;
  for (int i = 0; i < 3; ++i) turns.add(1, "a" + std::to_string(i));
  turns.add(2, "b0");
  turns.add(3, "c0");
  turns.add(2, "b1");
  std::string order;
  while (const auto next = turns.next()) order += *next + " ";
  EXPECT_EQ(order, "a0 b0 c0 a1 b1 a2 ");
  EXPECT_EQ(turns.size(), 0u);
}
