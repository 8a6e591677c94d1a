// Positions of elements, found by hash.
#include "core/base/position_index.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

using namespace almanac;

TEST(GivenAnIndexOfPositions, WhenItIsEmptyThenNothingIsFound) {
  EXPECT_FALSE(PositionIndex().find(7, [](std::uint32_t) { return true; }));
}

TEST(GivenAnIndexOfPositions, WhenHashesAreTheSameThenWhoeverAsksTellsThemApart) {
  PositionIndex index;
  for (std::uint32_t position = 0; position < 100; ++position) index.insert(5, position);
  for (std::uint32_t position = 0; position < 100; ++position)
    EXPECT_EQ(index.find(5, [&](std::uint32_t at) { return at == position; }), position);
}

// Against a map of position to hash. Few different hashes: many stand where another one belongs, also
// across the end.
RC_GTEST_PROP(GivenAnIndexOfPositions, WhenElementsComeAndGoThenThoseThereAreFound, ()) {
  PositionIndex index;
  std::map<std::uint32_t, std::uint64_t> there;
  const auto steps = *rc::gen::inRange<std::uint32_t>(1, 200);
  for (std::uint32_t step = 0; step < steps; ++step) {
    if (!there.empty() && *rc::gen::inRange(0, 5) < 2) {
      const auto gone = std::next(there.begin(), *rc::gen::inRange<std::ptrdiff_t>(
                                                     0, static_cast<std::ptrdiff_t>(there.size())));
      index.erase(gone->second, gone->first);
      there.erase(gone);
    } else {
      const auto hash = *rc::gen::element<std::uint64_t>(0, 1, 6, 7, 8, 15, 31, 63, 1ULL << 40);
      index.insert(hash, step);
      there.emplace(step, hash);
    }
    for (std::uint32_t position = 0; position <= step; ++position) {
      const auto known = there.find(position);
      const auto hash = known == there.end() ? 7 : known->second;
      const auto found = index.find(hash, [&](std::uint32_t at) { return at == position; });
      RC_ASSERT(found.has_value() == (known != there.end()));
    }
  }
}
