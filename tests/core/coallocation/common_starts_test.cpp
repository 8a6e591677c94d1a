#include "core/coallocation/common_starts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace almanac {
namespace {

SiteRange range(std::int64_t first, std::int64_t last) { return {Instant{first}, Instant{last}}; }

// M5.11, M11.2
TEST(GivenTheRangesOfThreeSites, WhenTheyAreIntersectedThenTheStartsOfAllAreLeft) {
  const std::vector<SiteRanges> sites{
      {range(0, 10), range(20, 40)}, {range(5, 25)}, {range(8, 9), range(22, 60)}};
  EXPECT_EQ(common_starts(sites, {}), (SiteRanges{range(8, 9), range(22, 25)}));
}

// M5.12, M5.13
TEST(GivenTwoStartsFiveSecondsApart, WhenTheSkewIsFourThenThereIsNoCommonStartAndWithFiveThereIs) {
  const std::vector<SiteRanges> sites{{range(0, 0)}, {range(5, 5)}};
  EXPECT_EQ(common_starts(sites, Duration{4}), SiteRanges{});
  EXPECT_EQ(common_starts(sites, Duration{5}), SiteRanges{range(0, 0)});
  EXPECT_EQ(starts_from(sites, Instant{0}), (std::vector{Instant{0}, Instant{5}}));
}

// M5.14
TEST(GivenASiteWithoutARange, WhenTheyAreIntersectedThenNothingIsLeft) {
  EXPECT_EQ(common_starts({{range(0, 10)}, {}}, {}), SiteRanges{});
  EXPECT_EQ(common_starts({{}, {range(0, 10)}}, Duration{100}), SiteRanges{});
  EXPECT_EQ(common_starts({}, {}), SiteRanges{});
}

// M5.15
TEST(GivenRangesThatTouch, WhenTheyAreIntersectedThenTheyCountAsOne) {
  EXPECT_EQ(common_starts({{range(0, 5), range(5, 9)}, {range(5, 5)}}, {}),
            SiteRanges{range(5, 5)});
}

TEST(GivenRangesOutOfOrder, WhenTheyArePutInOrderThenTheyAscendAndDoNotTouch) {
  EXPECT_EQ(in_order({range(7, 9), range(0, 3), range(2, 4), range(5, 5), range(30, 20)}),
            (SiteRanges{range(0, 5), range(7, 9)}));
  EXPECT_EQ(in_order({{Instant{0}, Instant::never()}, range(5, 6)}),
            (SiteRanges{{Instant{0}, Instant::never()}}));
}

// Every second, asked for by itself (M5.2, M5.4).
TEST(GivenAnyRanges, WhenTheyAreIntersectedThenExactlyTheStartsThatEachSiteMeetsAreLeft) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Chance chance(seed);
    std::vector<SiteRanges> sites(static_cast<std::size_t>(2 + chance.up_to(3)));
    for (auto& site : sites)
      for (auto left = chance.up_to(6); left > 0; --left) {
        const auto first = chance.up_to(60);
        site.push_back(range(first, first + chance.up_to(12)));
      }
    const Duration skew{chance.up_to(1) * chance.up_to(8)};
    const auto common = common_starts(sites, skew);
    EXPECT_EQ(in_order(common), common) << "seed " << seed;
    for (std::int64_t at = -10; at < 90; ++at) {
      const auto meets = [&](const SiteRanges& site) {
        return std::any_of(site.begin(), site.end(), [&](const SiteRange& one) {
          return one.first <= Instant{at} + skew && one.last >= Instant{at};
        });
      };
      const bool expected = std::all_of(sites.begin(), sites.end(), meets);
      const bool found = std::any_of(common.begin(), common.end(), [&](const SiteRange& one) {
        return one.first <= Instant{at} && Instant{at} <= one.last;
      });
      ASSERT_EQ(found, expected) << "seed " << seed << ", second " << at;
      if (!found) continue;
      for (const auto start : starts_from(sites, Instant{at})) {
        ASSERT_GE(start, Instant{at});
        ASSERT_LE(start, Instant{at} + skew);
      }
    }
  }
}

TEST(GivenCommonStarts, WhenCandidatesAreChosenThenTheLeftEndsComeFirstAndLongRangesGiveAPoint) {
  Chance chance(1);
  const SiteRanges common{range(10, 12), range(100, 300), range(400, 400), range(500, 900)};
  const auto found = candidates(common, 3, Duration{60}, chance);
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0], Instant{10});
  EXPECT_EQ(found[1], Instant{100});
  EXPECT_EQ(found[2], Instant{400});
  EXPECT_TRUE(found[3] > Instant{100} && found[3] <= Instant{300});
  EXPECT_TRUE(found[4] > Instant{500} && found[4] <= Instant{900});
}

TEST(GivenManyCommonStarts, WhenCandidatesAreChosenThenThereAreAtMostTwiceAsManyAsAllowed) {
  Chance chance(2);
  SiteRanges common;
  for (std::int64_t i = 0; i < 50; ++i) common.push_back(range(i * 1000, i * 1000 + 500));
  const auto found = candidates(common, 8, Duration{10}, chance);
  EXPECT_EQ(found.size(), 16U);
  EXPECT_EQ(std::set<Instant>(found.begin(), found.end()).size(), 16U);
  EXPECT_TRUE(candidates({}, 8, Duration{10}, chance).empty());
}

} // namespace
} // namespace almanac
