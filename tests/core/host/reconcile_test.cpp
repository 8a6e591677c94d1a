#include "core/host/reconcile.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {
const Attempt one{1, 0, 1}, two{2, 0, 1};
} // namespace

TEST(GivenAnAgentThatRegisters, WhenATaskIsNotInItsListThenSpoolAndStateDecide) {
  const auto same = reconcile({{one, true, false}, {two, true, true}}, {}, true, "s", 1);
  EXPECT_EQ(same.send_again, std::vector<Attempt>{one}) << "never started: the same attempt again";
  EXPECT_EQ(same.lost, std::vector<Attempt>{two});
  const auto other = reconcile({{one, false, true}}, {}, false, "s", 1);
  EXPECT_EQ(other.lost, std::vector<Attempt>{one});
}

TEST(GivenAnAgentThatRegisters, WhenItHasMoreThanItShouldThenOnlyOursIsStopped) {
  const auto result = reconcile({{one, true, true}},
                                {{one, "s", 1, false},
                                 {two, "s", 1, false},
                                 {{3, 0, 1}, "other", 1, false},
                                 {{4, 0, 1}, "s", 9, false}},
                                true, "s", 2);
  EXPECT_EQ(result.forget, std::vector<Attempt>{two});
  EXPECT_EQ(result.foreign.size(), 2u);
  EXPECT_TRUE(result.lost.empty() && result.send_again.empty());
}

TEST(GivenAnAgentThatRegisters, WhenNearlyAllIsUnknownThenTheOperatorIsAsked) {
  std::vector<ReportedTask> many;
  for (std::int64_t i = 0; i < 20; ++i) many.push_back({{i, 0, 1}, "s", 1, false});
  EXPECT_TRUE(reconcile({}, many, true, "s", 1).ask_operator);
  for (auto& task : many) task.ended = true;
  EXPECT_FALSE(reconcile({}, many, true, "s", 1).ask_operator) << "what has ended is not stopped";
}
