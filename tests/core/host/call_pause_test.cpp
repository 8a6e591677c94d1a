#include "core/host/call_pause.hpp"

#include <gtest/gtest.h>
#include <vector>

using almanac::CallPause;

namespace {

std::vector<std::int64_t> pauses(CallPause& pause, bool refused, int count) {
  std::vector<std::int64_t> result;
  while (count-- > 0) result.push_back(pause.after(refused));
  return result;
}

} // namespace

TEST(GivenAnAgentThatCalls, WhenNobodyAnswersThenItGoesOnEachSecond) {
  CallPause pause;
  EXPECT_EQ(pauses(pause, false, 5), (std::vector<std::int64_t>{250, 500, 1000, 1000, 1000}));
}

TEST(GivenAnAgentThatCalls, WhenItIsRefusedThenItWaitsEverLonger) {
  CallPause pause;
  EXPECT_EQ(pauses(pause, true, 6),
            (std::vector<std::int64_t>{1000, 2000, 4000, 8000, 10'000, 10'000}));
  EXPECT_EQ(pause.after(false), 1000) << "a new master may let it in";
}

TEST(GivenAnAgentThatCalls, WhenItWasTakenThenItBeginsAnew) {
  CallPause pause;
  pauses(pause, true, 4);
  pause.reached();
  EXPECT_EQ(pause.after(false), 250);
}
