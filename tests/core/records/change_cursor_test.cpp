// How far somebody has heard what changes.
#include "core/records/change_cursor.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenACursor, WhenItIsWrittenThenItReadsBack) {
  const ChangeCursor whole{{1700}, {42}}, within{{1700}, {42}, 3};
  EXPECT_EQ(whole.text(), "1700-42");
  EXPECT_EQ(within.text(), "1700-42.3");
  EXPECT_EQ(ChangeCursor::parse("1700-42"), whole);
  EXPECT_EQ(ChangeCursor::parse("1700-42.3"), within);
}

TEST(GivenNoCursor, WhenItIsReadThenItIsNone) {
  for (const auto* text : {"", "1", "-", "1-", "-1", "a-1", "1-b", "1-2.", "1-2.x", "1-2-3", "1.2",
                           "99999999999999999999-1", " 1-2"})
    EXPECT_FALSE(ChangeCursor::parse(text)) << text;
}

TEST(GivenStartsOfTheMaster, WhenACursorIsOfThisStoreThenItIsKnown) {
  auto starts = MasterStarts::parse("100-1 200-50");
  EXPECT_TRUE(starts.have({{100}, {49}}));
  EXPECT_TRUE(starts.have({{200}, {70}}));
  EXPECT_TRUE(starts.have({{200}, {7}})) << "the later start has the earlier history";
  EXPECT_FALSE(starts.have({{150}, {10}})) << "no such start";
  EXPECT_FALSE(starts.have({{100}, {50}})) << "that input is another one now";
  starts.add({300}, {80});
  EXPECT_FALSE(starts.have({{200}, {80}}));
  EXPECT_EQ(starts.text(), "100-1 200-50 300-80");
}

TEST(GivenStartsOfTheMaster, WhenThereAreManyThenTheLastOnesAreKept) {
  MasterStarts starts;
  for (std::int64_t i = 1; i <= 100; ++i) starts.add({i}, {10 * i});
  EXPECT_FALSE(starts.have({{36}, {365}}));
  EXPECT_TRUE(starts.have({{37}, {375}}));
  const auto again = MasterStarts::parse(starts.text());
  EXPECT_EQ(again.text(), starts.text());
  EXPECT_EQ(MasterStarts::parse("x 1 2-y 3-4").text(), "3-4");
}
