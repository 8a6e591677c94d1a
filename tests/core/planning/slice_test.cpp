// A pass in slices: however thin they are and whatever comes in between, nobody of a lower priority
// gets what a pass in one piece would have given to a higher one.
#include "core/planning/pass/slice.hpp"
#include "cell.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

// Many small steps instead of one.
void pass_in_slices(State& state, Instant now, rules::SliceLimits limits) {
  while (rules::pass(state, now, limits)) state.take_effects(now);
  state.take_effects(now);
}

using Numbers = std::set<std::int64_t>;

} // namespace

TEST(GivenWaitingJobs, WhenASliceMayStartOneThenItStartsTheHighestAndSaysThatThereIsMore) {
  Cell cell(2);
  const auto low = cell.submit(1, 1, false, 100), high = cell.submit(2, 1, false, 200);
  EXPECT_TRUE(rules::pass(cell.state, cell.now, {1}));
  EXPECT_EQ(cell.running(), Numbers{high});
  EXPECT_FALSE(rules::pass(cell.state, cell.now, {1}));
  EXPECT_EQ(cell.running(), (Numbers{low, high}));
}

TEST(GivenAJobThatDoesNotFit, WhenItHoldsNothingThenOthersPassIt) {
  Cell cell(2);
  const auto first = cell.submit(3, 1, false, 100);
  cell.submit(2, 2, false, 100);
  const auto small = cell.submit(1, 1, false, 1000);
  cell.pass();
  EXPECT_EQ(cell.running(), (Numbers{first, small}));
  EXPECT_TRUE(cell.held().empty());
}

TEST(GivenAJobThatDoesNotFit, WhenItHoldsAPlaceThenOnlyWhatEndsBeforeItPasses) {
  Cell cell(2);
  const auto first = cell.submit(3, 1, false, 100), wide = cell.submit(2, 2, true, 100);
  const auto lengthy = cell.submit(1, 1, false, 101), brief = cell.submit(1, 1, false, 100);
  cell.pass();
  EXPECT_EQ(cell.held().at(wide), cell.now.seconds + 160) << "100 s and the offset";
  EXPECT_EQ(cell.running(), (Numbers{first, brief}));
  EXPECT_FALSE(cell.running().contains(lengthy));
}

TEST(GivenAJobThatDoesNotFit, WhenThereIsNoBackfillingThenNothingStartsBehindIt) {
  Cell cell(2, {{"params", "BACKFILL=none"}});
  const auto first = cell.submit(3, 1, false, 100);
  cell.submit(2, 2, true, 100);
  cell.submit(1, 1, false, 10);
  cell.pass();
  EXPECT_EQ(cell.running(), Numbers{first});
  EXPECT_TRUE(cell.held().empty());
}

TEST(GivenWaitingJobs, WhenSchedulingIsOffThenNothingStarts) {
  Cell cell(2);
  const auto number = cell.submit(0, 1, false, 100);
  cell.state.switch_passes(true);
  EXPECT_FALSE(rules::pass(cell.state, cell.now));
  EXPECT_TRUE(cell.running().empty());
  cell.state.switch_passes(false);
  cell.pass();
  EXPECT_EQ(cell.running(), Numbers{number});
}

RC_GTEST_PROP(GivenAPassInSlices, WhenNothingComesBetweenThenItDecidesAsInOnePiece, ()) {
  Cell whole(6), sliced(6);
  const auto count = *rc::gen::inRange(1, 15);
  for (int i = 0; i < count; ++i) {
    const std::int64_t priority = *rc::gen::inRange(-3, 3), slots = *rc::gen::inRange(1, 7),
                       limit = *rc::gen::inRange(1, 5) * 100;
    const bool reserve = *rc::gen::arbitrary<bool>();
    whole.submit(priority, slots, reserve, limit);
    sliced.submit(priority, slots, reserve, limit);
  }
  pass_in_slices(whole.state, whole.now, {});
  pass_in_slices(sliced.state, sliced.now, {*rc::gen::inRange(1, 3), *rc::gen::inRange(1, 4)});
  RC_ASSERT(sliced.running() == whole.running());
  RC_ASSERT(sliced.held() == whole.held());
}

RC_GTEST_PROP(GivenAPassInSlices, WhenJobsComeBetweenThenAHigherPriorityIsNeverPassedOver, ()) {
  Cell cell(6);
  std::map<std::int64_t, std::int64_t> started_after; // number -> highest number submitted by then
  const auto steps = *rc::gen::inRange(1, 30);
  std::int64_t submitted = 0;
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      cell.submit(*rc::gen::inRange(-3, 3), *rc::gen::inRange(1, 3), false, 100);
      ++submitted;
    } else {
      rules::pass(cell.state, cell.now, {1, 1});
      cell.state.take_effects(cell.now);
    }
    for (const auto number : cell.running()) started_after.emplace(number, submitted);
  }
  pass_in_slices(cell.state, cell.now, {});
  for (const auto number : cell.running()) started_after.emplace(number, submitted);
  // Whoever waits at the end was never passed over by an equal or larger job of lower priority that
  // started when it was already there.
  for (const auto& [key, waiting] : cell.state.jobs()) {
    if (cell.state.tally(key).active > 0) continue;
    for (const auto& [number, after] : started_after) {
      const auto& started = *cell.state.job_by_number({number});
      const bool was_there = waiting->number.value <= after;
      const bool as_large =
          started.request->slots.front().low >= waiting->request->slots.front().low;
      if (was_there && as_large) RC_ASSERT(started.request->priority >= waiting->request->priority);
    }
  }
}
