// What became of each slot-second (spec/beyond.md section 9).
#include "core/utilization/usage.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>

using namespace almanac;

namespace {

constexpr ReservationId ar_1{{1}, {5}}, none{};

InstanceName on(const std::string& host) { return {"all.q", host}; }

ConfiguredSpan there(const std::string& host, Window during, std::int64_t slots = 4,
                     Availability availability = Availability::open) {
  return {{on(host), during, slots}, availability};
}
OccupiedSpan taken(const std::string& host, Window during, ReservationId by,
                   std::int64_t slots = 4) {
  return {{on(host), during, slots}, by};
}

// T is 0. Four hosts of four slots; AR 1 has n1 and n2; n2 is lost.
UsageSpans example() {
  UsageSpans spans;
  for (const char* host : {"n1", "n3", "n4"})
    spans.configured.push_back(there(host, {{0}, {1000}}));
  spans.configured.push_back(there("n2", {{0}, {600}}));
  spans.configured.push_back(there("n2", {{600}, {1000}}, 4, Availability::down));
  spans.reserved = {taken("n1", {{200}, {800}}, ar_1), taken("n2", {{200}, {800}}, ar_1)};
  spans.used = {taken("n1", {{300}, {700}}, ar_1), taken("n3", {{0}, {500}}, none)};
  return spans;
}

} // namespace

// B9.11, B9.12, B9.13, B9.16, B9.18, B9.2; beyond U1, beyond U2, beyond U3, beyond U4, beyond U5
TEST(GivenTheExampleOfTheSpecification, WhenItIsSummedUpThenEachSlotSecondIsOneThing) {
  const auto usage = usage_of(example(), {{0}, {1000}});
  const auto& cell = usage.cell;
  EXPECT_EQ(cell.used_inside, 1600) << "U1";
  EXPECT_EQ(cell.used_outside, 2000) << "U2";
  EXPECT_EQ(cell.down, 1600) << "U3";
  EXPECT_EQ(cell.idle_reserved, 2400) << "U4";
  EXPECT_EQ(cell.free, 8400) << "U5";
  EXPECT_EQ(cell.slots_by_time(), 16000);
  const auto& own = usage.reservations.at(ar_1);
  EXPECT_EQ(own, (ReservationUsage{1600, 2400, 800}));
  EXPECT_EQ(own.reserved(), 4800);
  EXPECT_EQ(own.charged(), 4000);
}

// B9.21, beyond U6
TEST(GivenTheExampleOfTheSpecification, WhenItIsRepairedThenOnlyThatTimeIsUnavailable) {
  auto spans = example();
  spans.reserved[1].during.end = {602};
  spans.reserved.push_back(taken("n4", {{602}, {800}}, ar_1));
  const auto usage = usage_of(spans, {{0}, {1000}});
  EXPECT_EQ(usage.cell.down, 1600);
  EXPECT_EQ(usage.cell.idle_reserved, 2400 + 792);
  EXPECT_EQ(usage.cell.free, 7608);
  EXPECT_EQ(usage.cell.slots_by_time(), 16000);
  EXPECT_EQ(usage.reservations.at(ar_1).unavailable, 8);
}

TEST(GivenTheExampleOfTheSpecification, WhenOnlyAPartOfTheTimeIsAskedForThenThePartsAreOfThat) {
  const auto usage = usage_of(example(), {{250}, {350}});
  EXPECT_EQ(usage.cell.slots_by_time(), 1600);
  EXPECT_EQ(usage.cell.used_inside, 200);
  EXPECT_EQ(usage.reservations.at(ar_1), (ReservationUsage{200, 600, 0}));
}

// B9.19
TEST(GivenAnInstance, WhenItsSlotsWereLoweredThenWhatIsUsedBeyondThemIsSubtracted) {
  UsageSpans spans;
  spans.configured = {there("n1", {{0}, {10}}, 4), there("n1", {{10}, {20}}, 1)};
  spans.used = {taken("n1", {{0}, {20}}, none, 3)};
  const auto cell = usage_of(spans, {{0}, {20}}).cell;
  EXPECT_EQ(cell.used_outside, 60);
  EXPECT_EQ(cell.over, 20);
  EXPECT_EQ(cell.free, 10);
  EXPECT_EQ(cell.slots_by_time(), 50);
}

TEST(GivenAnInstance, WhenItIsGoneThenAReservationOnItHasNothing) {
  UsageSpans spans;
  spans.configured = {there("n1", {{0}, {10}})};
  spans.reserved = {taken("n1", {{0}, {20}}, ar_1, 2)};
  const auto usage = usage_of(spans, {{0}, {20}});
  EXPECT_EQ(usage.cell.slots_by_time(), 40);
  EXPECT_EQ(usage.reservations.at(ar_1), (ReservationUsage{0, 20, 20}));
}

// B9.15
TEST(GivenAnInstance, WhenItIsClosedThenWhatRunsThereIsUsedAndTheRestIsClosed) {
  UsageSpans spans;
  spans.configured = {there("n1", {{0}, {10}}, 4, Availability::closed)};
  spans.reserved = {taken("n1", {{0}, {10}}, ar_1, 2)};
  spans.used = {taken("n1", {{0}, {10}}, ar_1, 1)};
  const auto usage = usage_of(spans, {{0}, {10}});
  EXPECT_EQ(usage.cell.used_inside, 10);
  EXPECT_EQ(usage.cell.closed, 30);
  EXPECT_EQ(usage.reservations.at(ar_1), (ReservationUsage{10, 0, 10}));
}

TEST(GivenAReservation, WhenItsTasksHoldMoreThanItThenThatIsReservedWhileTheyHoldIt) {
  UsageSpans spans;
  spans.configured = {there("n1", {{0}, {10}})};
  spans.used = {taken("n1", {{0}, {10}}, ar_1, 3)};
  const auto usage = usage_of(spans, {{0}, {10}});
  EXPECT_EQ(usage.reservations.at(ar_1).reserved(), 30);
  EXPECT_EQ(usage.cell.free, 10);
}

namespace {

constexpr std::int64_t longest = 30;

std::int64_t any(std::int64_t least, std::int64_t below) { return *rc::gen::inRange(least, below); }

// One after the other, with gaps: it was taken out of the configuration.
void configure(UsageSpans& spans, const std::string& host) {
  std::int64_t at = 0;
  while (at < longest) {
    const auto begin = at + any(0, 4), end = begin + any(1, 12);
    spans.configured.push_back(
        there(host, {{begin}, {end}}, any(0, 5), static_cast<Availability>(any(0, 4))));
    at = end;
  }
}

UsageSpans any_history() {
  UsageSpans spans;
  for (const char* host : {"n1", "n2"}) configure(spans, host);
  const auto window = [] {
    const auto begin = any(0, longest);
    return Window{{begin}, {begin + any(0, 12)}};
  };
  const auto host = [] { return "n" + std::to_string(any(1, 3)); };
  for (auto i = any(0, 8); i > 0; --i)
    spans.reserved.push_back(taken(host(), window(), {{any(1, 4)}, {}}, any(0, 4)));
  for (auto i = any(0, 8); i > 0; --i)
    spans.used.push_back(taken(host(), window(), {{any(0, 4)}, {}}, any(0, 4)));
  for (auto i = any(0, 6); i > 0; --i)
    spans.gaps.push_back(taken(host(), window(), {{any(0, 4)}, {}}, any(1, 4)));
  return spans;
}

// The rule of the specification, second by second and slot by slot.
struct SecondBySecond {
  Usage usage;

  void look_at(const UsageSpans& spans, const std::string& host, Instant at) {
    std::int64_t slots = 0;
    auto availability = Availability::down;
    for (const auto& span : spans.configured)
      if (is_of(span, host, at)) slots = span.slots, availability = span.availability;
    std::map<ReservationId, std::int64_t> reserved, used;
    std::set<ReservationId> known;
    for (const auto& span : spans.reserved)
      if (is_of(span, host, at)) reserved[span.reservation] += span.slots;
    for (const auto& span : spans.used)
      if (is_of(span, host, at)) used[span.reservation] += span.slots;
    for (const auto& [id, count] : reserved) known.insert(id);
    for (const auto& [id, count] : used) known.insert(id);
    auto left = slots;
    for (const auto& [id, count] : used) {
      (id.number ? usage.cell.used_inside : usage.cell.used_outside) += count;
      if (id.number) usage.reservations[id].used += count;
      for (auto i = count; i > 0; --i) left > 0 ? --left : ++usage.cell.over;
    }
    for (const auto& id : known)
      for (auto i = reserved[id] - used[id]; i > 0 && id.number; --i) {
        const bool idle = left > 0 && availability == Availability::open;
        ++(idle ? usage.reservations[id].idle : usage.reservations[id].unavailable);
        if (idle) --left, ++usage.cell.idle_reserved;
      }
    std::map<ReservationId, std::int64_t> gaps;
    for (const auto& span : spans.gaps)
      if (is_of(span, host, at)) gaps[span.reservation] += span.slots;
    for (const auto& [id, count] : gaps)
      for (auto i = count; i > 0 && left > 0 && availability == Availability::open; --i) {
        --left, ++usage.cell.gap;
        if (id.number) ++usage.reservations[id].gap;
      }
    (availability == Availability::down          ? usage.cell.down
     : availability == Availability::maintenance ? usage.cell.maintenance
     : availability == Availability::closed      ? usage.cell.closed
                                                 : usage.cell.free) += left;
  }
  static bool is_of(const SlotSpan& span, const std::string& host, Instant at) {
    return span.instance.host == host && span.during.contains(at);
  }
};

} // namespace

// B9.17: what is free and kept from who waits is no longer free, and of who is in the way.
TEST(GivenAnInstance, WhenItIsKeptForAReservationToComeThenThatIsAGap) {
  UsageSpans spans;
  spans.configured = {there("n1", {{0}, {30}})};
  spans.reserved = {taken("n1", {{20}, {30}}, ar_1)};
  spans.used = {taken("n1", {{0}, {10}}, none, 3)};
  spans.gaps = {taken("n1", {{5}, {20}}, ar_1, 2), taken("n1", {{15}, {25}}, none, 1)};
  const auto usage = usage_of(spans, {{0}, {30}});
  EXPECT_EQ(usage.cell.gap, 5 + 20 + 5)
      << "no more than what is free, and nothing that is reserved";
  EXPECT_EQ(usage.cell.free, 5 + 10 + 5);
  EXPECT_EQ(usage.cell.slots_by_time(), 120);
  EXPECT_EQ(usage.reservations.at(ar_1), (ReservationUsage{0, 40, 0, 25}));
  EXPECT_EQ(usage.reservations.at(ar_1).reserved(), 40);
}

// B9.1, B9.14
RC_GTEST_PROP(GivenAnyUse, WhenItIsSummedUpThenNothingIsLostAndTheRuleIsThatOfEachSecond, ()) {
  const auto spans = any_history();
  const auto begin = any(0, longest);
  const Window window{{begin}, {begin + any(1, longest)}};
  SecondBySecond expected;
  std::int64_t slots_by_time = 0;
  for (auto at = window.start; at < window.end; ++at.seconds)
    for (const char* host : {"n1", "n2"}) {
      expected.look_at(spans, host, at);
      for (const auto& span : spans.configured)
        if (SecondBySecond::is_of(span, host, at)) slots_by_time += span.slots;
    }
  const auto usage = usage_of(spans, window);
  RC_ASSERT(usage.cell.slots_by_time() == slots_by_time);
  RC_ASSERT(usage.cell == expected.usage.cell);
  for (const auto& [id, own] : expected.usage.reservations)
    RC_ASSERT((own == ReservationUsage{} || usage.reservations.at(id) == own));
  std::int64_t used = 0, idle = 0;
  for (const auto& [id, own] : usage.reservations) used += own.used, idle += own.idle;
  RC_ASSERT(used == usage.cell.used_inside);
  RC_ASSERT(idle == usage.cell.idle_reserved);
}
