#include "core/admission/refusal_budget.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr Instant noon{43'200};

std::int64_t written_of(RefusalBudget& budget, const std::string& who, int count, Instant now) {
  std::int64_t written = 0;
  for (int i = 0; i < count; ++i) written += budget.take(who, now);
  return written;
}

} // namespace

TEST(GivenABudgetOfRefusals,
     WhenOneIsRefusedTenThousandTimesThenTheFirstAreWrittenAndTheRestCounted) {
  RefusalBudget budget({60, 200, Duration{60}});
  EXPECT_EQ(written_of(budget, "1001", 10'000, noon), 60);
  EXPECT_TRUE(budget.rests(noon + Duration{59}).empty());
  const auto rests = budget.rests(noon + Duration{60});
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_EQ(rests[0].who, "1001");
  EXPECT_EQ(rests[0].count, 9'940);
  EXPECT_TRUE(budget.rests(noon + Duration{61}).empty()) << "told once";
  EXPECT_EQ(written_of(budget, "1001", 100, noon + Duration{61}), 60) << "the next minute";
}

TEST(GivenABudgetOfRefusals, WhenOneHasUsedItThenAnothersRefusalsAreWritten) {
  RefusalBudget budget({3, 200, Duration{60}});
  written_of(budget, "1001", 1000, noon);
  EXPECT_EQ(written_of(budget, "1002", 3, noon), 3);
  EXPECT_EQ(budget.rests(noon + Duration{60}).size(), 1u) << "nothing is left out of 1002";
}

TEST(GivenABudgetOfRefusals, WhenNamesAreMadeUpThenTheyShareWhatIsLeft) {
  RefusalBudget budget({3, 10, Duration{60}});
  std::int64_t written = 0;
  for (int name = 0; name < 5'000; ++name)
    written += written_of(budget, std::to_string(name), 1, noon);
  EXPECT_EQ(written, 10 + 3);
  const auto rests = budget.rests(noon + Duration{60});
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_EQ(rests[0].who, RefusalBudget::others);
  EXPECT_EQ(rests[0].count, 5'000 - 13);
}
