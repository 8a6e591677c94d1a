#include "core/utilization/diagram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

using namespace almanac;

namespace {

constexpr std::int64_t horizon = 40;

Window window(std::int64_t start, std::int64_t end) { return {{start}, {end}}; }

// The same function, second by second.
struct Brute {
  std::array<std::int64_t, horizon> level{};
  void add(std::int64_t start, std::int64_t end, std::int64_t amount) {
    for (auto t = start; t < end && t < horizon; ++t)
      level.at(static_cast<std::size_t>(t)) += amount;
  }
  std::int64_t max(std::int64_t start, std::int64_t end) const {
    std::int64_t highest = 0;
    bool any = false;
    for (auto t = start; t < end; ++t) {
      const auto here = t < horizon ? level.at(static_cast<std::size_t>(t)) : 0;
      highest = any ? std::max(highest, here) : here;
      any = true;
    }
    return highest;
  }
};

} // namespace

TEST(GivenTheDiagramOfTheSpecification, WhenAskedThenItAnswersItsVector) {
  Diagram diagram;
  diagram.add(window(100, 150), 3);
  diagram.add(window(120, 200), 2);
  diagram.add({{400}, Instant::never()}, 1);
  EXPECT_EQ(diagram.max(window(0, 100)), 0);
  EXPECT_EQ(diagram.max(window(0, 101)), 3);
  EXPECT_EQ(diagram.max(window(119, 120)), 3);
  EXPECT_EQ(diagram.max(window(119, 121)), 5);
  EXPECT_EQ(diagram.max(window(150, 200)), 2);
  EXPECT_EQ(diagram.max(window(200, 400)), 0);
  EXPECT_EQ(diagram.max(window(200, 401)), 1);
  EXPECT_EQ(diagram.max({{0}, Instant::never()}), 5);
  EXPECT_EQ(diagram.earliest_fit({0}, {20}, 4)->seconds, 0);
  EXPECT_EQ(diagram.earliest_fit({110}, {20}, 4)->seconds, 150);
  EXPECT_FALSE(diagram.earliest_fit({0}, Duration::endless(), 0).has_value());
  diagram.add(window(120, 200), -2);
  EXPECT_EQ(diagram.points(), (std::vector<Instant>{{100}, {150}, {400}}));
}

TEST(GivenTwoWindowsThatMeet, WhenBothAreBookedThenTheyDoNotOverlap) {
  Diagram diagram;
  diagram.add(window(10, 12), 1);
  diagram.add(window(12, 14), 1);
  EXPECT_EQ(diagram.max(window(0, 20)), 1);
}

RC_GTEST_PROP(GivenAnyBookings, WhenAskedThenTheDiagramEqualsCountingSecondBySecond, ()) {
  Diagram diagram;
  Brute brute;
  const auto count = *rc::gen::inRange(1, 20);
  std::vector<std::array<std::int64_t, 3>> booked;
  for (int i = 0; i < count; ++i) {
    const auto start = *rc::gen::inRange<std::int64_t>(0, horizon);
    const auto end = *rc::gen::inRange<std::int64_t>(start, horizon + 1);
    const auto amount = *rc::gen::inRange<std::int64_t>(1, 5);
    diagram.add(window(start, end), amount);
    brute.add(start, end, amount);
    booked.push_back({start, end, amount});
  }
  const auto from = *rc::gen::inRange<std::int64_t>(0, horizon);
  const auto length = *rc::gen::inRange<std::int64_t>(1, 10);
  const auto limit = *rc::gen::inRange<std::int64_t>(0, 12);
  RC_ASSERT(diagram.max(window(from, from + length)) == brute.max(from, from + length));
  std::int64_t expected = from;
  while (expected < 2 * horizon && brute.max(expected, expected + length) > limit) ++expected;
  const auto found = diagram.earliest_fit({from}, {length}, limit);
  RC_ASSERT(found.has_value() == (expected < 2 * horizon));
  if (found) RC_ASSERT(found->seconds == expected);
  for (const auto& [start, end, amount] : booked) diagram.add(window(start, end), -amount);
  RC_ASSERT(diagram.is_empty());
}
