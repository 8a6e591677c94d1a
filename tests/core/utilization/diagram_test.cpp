#include "core/utilization/diagram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <set>

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
  diagram.remove(window(120, 200), 2);
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
  for (const auto& [start, end, amount] : booked) diagram.remove(window(start, end), amount);
  RC_ASSERT(diagram.is_empty());
}

// Enough spans for the tree, with many that come and go: each question against all points.
RC_GTEST_PROP(GivenManyBookings, WhenTheyComeAndGoThenTheTreeAnswersAsTheListOfSpansDoes, ()) {
  struct Span {
    Window window;
    std::int64_t amount;
  };
  Diagram diagram;
  std::vector<Span> spans;
  const auto steps = *rc::gen::inRange(50, 900);
  const auto longest = *rc::gen::element<std::int64_t>(3, 60, 2000);
  const auto pick = [](std::int64_t below) { return *rc::gen::inRange<std::int64_t>(0, below); };
  for (int i = 0; i < steps; ++i) {
    if (spans.size() > 20 && pick(5) < 2) {
      const auto at = static_cast<std::size_t>(pick(static_cast<std::int64_t>(spans.size())));
      diagram.remove(spans[at].window, spans[at].amount);
      spans.erase(spans.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    const auto start = pick(3000);
    const auto end = pick(40) == 0 ? Instant::never() : Instant{start + 1 + pick(longest)};
    spans.push_back({{{start}, end}, 1 + pick(5)});
    diagram.add(spans.back().window, spans.back().amount);
  }
  const auto level = [&](Instant time) {
    std::int64_t sum = 0;
    for (const auto& span : spans) sum += span.window.contains(time) ? span.amount : 0;
    return sum;
  };
  std::set<Instant> points;
  for (const auto& span : spans) {
    points.insert(span.window.start);
    if (!span.window.end.is_never()) points.insert(span.window.end);
  }
  RC_ASSERT(diagram.points() == std::vector<Instant>(points.begin(), points.end()));
  const auto highest = [&](Window within) {
    auto most = level(within.start);
    for (auto it = points.lower_bound(within.start); it != points.end() && *it < within.end; ++it)
      most = std::max(most, level(*it));
    return most;
  };
  for (int i = 0; i < 10; ++i) {
    const Instant from{pick(3100)};
    const Duration length{1 + pick(longest)};
    RC_ASSERT(diagram.at(from) == level(from));
    RC_ASSERT(diagram.max({from, from + length}) == highest({from, from + length}));
    const auto limit = pick(highest({{0}, Instant::never()}) + 1);
    auto wanted = highest({from, from + length}) <= limit ? std::optional(from) : std::nullopt;
    for (auto it = points.upper_bound(from); !wanted && it != points.end(); ++it)
      if (highest({*it, *it + length}) <= limit) wanted = *it;
    RC_ASSERT(diagram.earliest_fit(from, length, limit) == wanted);
    auto later = std::optional<Instant>();
    for (auto it = points.upper_bound(from); !later && it != points.end(); ++it)
      if (highest({*it, *it + length}) <= limit) later = *it;
    RC_ASSERT(diagram.next_fit(from, length, limit) == later);
  }
  for (const auto& span : spans) diagram.remove(span.window, span.amount);
  RC_ASSERT(diagram.is_empty());
}

namespace {

// All points in a row, and each question a look at all of them.
struct PlainDiagram {
  std::map<Instant, std::int64_t> changes;
  std::vector<std::pair<Instant, std::int64_t>> levels;

  void add(Window window, std::int64_t amount) {
    changes[window.start] += amount;
    if (!window.end.is_never()) changes[window.end] -= amount;
  }
  void settle() {
    levels.clear();
    std::int64_t level = 0;
    for (const auto& [time, change] : changes) levels.emplace_back(time, level += change);
  }
  std::int64_t max(Window window) const {
    std::int64_t before = 0;
    auto highest = std::numeric_limits<std::int64_t>::min();
    for (const auto& [time, level] : levels) {
      if (time >= window.end) break;
      if (time <= window.start) before = level;
      else highest = std::max(highest, level);
    }
    return std::max(before, highest);
  }
  // `point`: only points after `from` count.
  std::optional<Instant> fit(Instant from, Duration length, std::int64_t limit, bool point) const {
    auto start = !point && max({from, from + Duration{1}}) <= limit ? std::optional(from)
                                                                    : std::optional<Instant>();
    for (const auto& [time, level] : levels) {
      if (time <= from) continue;
      if (level <= limit) {
        if (!start) start = time;
      } else {
        if (start && time >= *start + length) return start;
        start.reset();
      }
    }
    return start;
  }
};

} // namespace

// Enough points for a tree of four levels; few enough seconds for many points to coincide in it.
TEST(GivenThousandsOfBookings, WhenMostOfThemGoAgainThenTheTreeAnswersAsAListOfPointsDoes) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    std::mt19937_64 dice(seed);
    const auto below = [&](std::int64_t end) {
      return static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(end));
    };
    const auto scale = [&] { return std::int64_t{1} << below(20); };
    const std::int64_t end = seed == 3 ? 30'000 : 1'000'000;
    Diagram diagram;
    PlainDiagram plain;
    std::vector<std::pair<Window, std::int64_t>> spans;
    const auto ask = [&] {
      plain.settle();
      for (int i = 0; i < 300; ++i) {
        const Instant from{below(end + 200) - 100};
        const auto length = below(20) == 0 ? Duration::endless() : Duration{below(scale()) + 1};
        const auto limit = below(diagram.max({{0}, Instant::never()}) + 1);
        ASSERT_EQ(diagram.max({from, from + length}), plain.max({from, from + length}));
        ASSERT_EQ(diagram.at(from), plain.max({from, from + Duration{1}}));
        ASSERT_EQ(diagram.earliest_fit(from, length, limit), plain.fit(from, length, limit, false));
        ASSERT_EQ(diagram.next_fit(from, length, limit), plain.fit(from, length, limit, true));
      }
    };
    for (int i = 0; i < 15'000; ++i) {
      const Instant start{below(end)};
      const auto until = below(500) == 0 ? Instant::never() : start + Duration{below(scale()) + 1};
      spans.push_back({{start, until}, 1 + below(8)});
      diagram.add(spans.back().first, spans.back().second);
      plain.add(spans.back().first, spans.back().second);
    }
    ask();
    while (!spans.empty()) {
      // First from the left, so that whole parts of the tree go, then anywhere.
      if (spans.size() == 15'000)
        std::sort(spans.begin(), spans.end(),
                  [](const auto& a, const auto& b) { return a.first.start > b.first.start; });
      if (spans.size() == 9'000 || spans.size() == 1'000) {
        std::shuffle(spans.begin(), spans.end(), dice);
        plain.changes.clear();
        for (const auto& [window, amount] : spans) plain.add(window, amount);
        ask();
      }
      diagram.remove(spans.back().first, spans.back().second);
      spans.pop_back();
    }
    EXPECT_TRUE(diagram.is_empty());
  }
}

TEST(GivenThousandsOfBookings, WhenTheyAreCopiedThenBothAreTheSameUntilOneChanges) {
  std::mt19937 chance(3);
  const auto draw = [&](std::int64_t below) {
    return static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(below));
  };
  Diagram diagram;
  std::vector<std::pair<Window, std::int64_t>> booked;
  for (int i = 0; i < 5000; ++i) {
    const auto start = draw(100'000);
    booked.emplace_back(window(start, start + 1 + draw(500)), 1 + draw(9));
    diagram.add(booked.back().first, booked.back().second);
  }
  const Diagram copy = diagram;
  EXPECT_EQ(copy, diagram);
  EXPECT_EQ(copy.points(), diagram.points());
  auto other = copy;
  for (const auto& [during, amount] : booked) other.remove(during, amount);
  EXPECT_TRUE(other.points().empty());
  EXPECT_EQ(copy, diagram) << "it has its own nodes";
  for (int i = 0; i < 1000; ++i) {
    const auto start = draw(100'000), length = 1 + draw(2000);
    EXPECT_EQ(copy.max(window(start, start + length)), diagram.max(window(start, start + length)));
    EXPECT_EQ(copy.earliest_fit({start}, {length}, 20),
              diagram.earliest_fit({start}, {length}, 20));
  }
}
