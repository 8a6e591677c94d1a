// The counters of one resource quota set: amounts over time by key.
#include "core/policy/quota_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

using namespace almanac;

namespace {

constexpr Window whole{{0}, Instant::never()};

std::size_t in_use(const QuotaTable& table) {
  return static_cast<std::size_t>(
      std::count_if(table.counters().begin(), table.counters().end(),
                    [](const auto& counter) { return !counter.booked.is_empty(); }));
}

} // namespace

TEST(GivenATableOfCounters, WhenSomethingIsAddedThenOnlyItsCounterHasIt) {
  QuotaTable table;
  const QuotaKey ann{0, 0, 1, 0, false}, bob{0, 0, 2, 0, false}, other{1, 0, 1, 0, false};
  table.add(ann, {{10}, {20}}, 2);
  ASSERT_NE(table.find(ann), nullptr);
  EXPECT_EQ(table.find(ann)->max({{15}, {30}}), 2);
  EXPECT_EQ(table.find(ann)->max({{20}, {30}}), 0);
  EXPECT_EQ(table.find(bob), nullptr);
  EXPECT_EQ(table.find(other), nullptr);
  auto beside = ann;
  beside.beside = true;
  EXPECT_EQ(table.find(beside), nullptr);
}

TEST(GivenATableOfCounters, WhenAllIsTakenBackThenTheCounterIsGone) {
  QuotaTable table;
  const QuotaKey key{0, 1, 3, 4, false};
  table.add(key, whole, 1), table.add(key, whole, 1);
  table.remove(key, whole, 1);
  ASSERT_NE(table.find(key), nullptr);
  table.remove(key, whole, 1);
  EXPECT_EQ(table.find(key), nullptr);
  EXPECT_EQ(in_use(table), 0u);
}

TEST(GivenATableOfCounters, WhenNothingOrNeverIsAddedThenThereIsNoCounter) {
  QuotaTable table;
  table.add({}, whole, 0), table.add({}, {{5}, {5}}, 1);
  EXPECT_EQ(table.find({}), nullptr);
  table.remove({}, whole, 0), table.remove({}, {{5}, {5}}, 1);
  EXPECT_EQ(in_use(table), 0u);
}

TEST(GivenATableOfCounters, WhenACounterIsHeldThenItStaysWhereItIsWhileOthersCome) {
  QuotaTable table;
  const QuotaKey first{0, 0, 1, 0, false};
  table.add(first, whole, 1);
  const auto* held = table.find(first);
  const auto* empty = &table.at({0, 0, 2, 0, false});
  for (std::uint32_t member = 3; member < 1'000; ++member)
    table.add({0, 0, member, 0, false}, whole, 1);
  EXPECT_EQ(table.find(first), held);
  EXPECT_EQ(&table.at({0, 0, 2, 0, false}), empty);
  EXPECT_TRUE(empty->is_empty());
}

// Against a map of lists.
RC_GTEST_PROP(GivenAnyBookings, WhenTheyComeAndGoThenEachCounterIsTheSumOfItsOwn, ()) {
  struct Booked {
    QuotaKey key;
    Window window;
    std::int64_t amount;
  };
  QuotaTable table;
  std::vector<Booked> booked;
  const auto steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) {
    if (!booked.empty() && *rc::gen::inRange(0, 2) == 0) {
      const auto at = *rc::gen::inRange<std::size_t>(0, booked.size());
      table.remove(booked[at].key, booked[at].window, booked[at].amount);
      booked.erase(booked.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    const QuotaKey key{*rc::gen::inRange<std::uint16_t>(0, 2),
                       *rc::gen::inRange<std::uint16_t>(0, 2),
                       *rc::gen::inRange<std::uint32_t>(0, 3),
                       *rc::gen::inRange<std::uint32_t>(0, 2), *rc::gen::arbitrary<bool>()};
    const auto start = *rc::gen::inRange<std::int64_t>(0, 20);
    booked.push_back({key,
                      {{start}, {start + *rc::gen::inRange<std::int64_t>(1, 20)}},
                      *rc::gen::inRange<std::int64_t>(1, 5)});
    table.add(key, booked.back().window, booked.back().amount);
  }
  std::size_t keys = 0;
  for (std::size_t i = 0; i < booked.size(); ++i) {
    const auto& key = booked[i].key;
    const auto same = [&](const Booked& other) { return other.key == key; };
    if (std::find_if(booked.begin(), booked.end(), same) - booked.begin() ==
        static_cast<std::ptrdiff_t>(i))
      ++keys;
    const auto* counter = table.find(key);
    RC_ASSERT(counter != nullptr);
    for (std::int64_t time = 0; time < 40; ++time) {
      std::int64_t sum = 0;
      for (const auto& other : booked)
        if (same(other) && other.window.contains({time})) sum += other.amount;
      RC_ASSERT(counter->at({time}) == sum);
    }
  }
  RC_ASSERT(in_use(table) == keys);
}
