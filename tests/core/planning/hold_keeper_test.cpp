// What is planned for waiting jobs with -R y: S5.2, S5.3 and S5.7 to S5.9 of spec/scheduling.md.
#include "core/planning/pass/hold_keeper.hpp"
#include "cell.hpp"
#include "core/matching/assumption.hpp"
#include "core/matching/earliest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

// A keeper in the middle of a slice, on a cell with one slot that is taken for 160 s (100 and the
// offset), and jobs that hold places behind it.
class Keeper {
public:
  explicit Keeper(std::int64_t holders) : cell(1) {
    cell.submit(0, 1, false, 100);
    cell.pass();
    for (std::int64_t i = 0; i < holders; ++i) numbers.push_back(cell.submit(-i, 1, true, 100));
    cell.pass();
    order.emplace(cell.state, cell.now);
    starts.emplace(cell.state, *order, cell.now);
    keeper.emplace(cell.state, *order, *starts, cell.now);
  }
  const Job& job(std::size_t holder) const { return *cell.state.job_by_number({numbers[holder]}); }
  std::int64_t used_at(std::int64_t seconds) const {
    const auto at = cell.now + Duration{seconds};
    return cell.state.ledger().used(Container::queue({"all.q", "h1"}), "slots",
                                    {at, at + Duration{1}});
  }
  void displace_behind(std::size_t holder) {
    keeper->displace_behind(order->rank_of(job(holder)), job(holder).key, job(holder).number);
  }
  std::vector<std::int64_t> starts_of_holds() const {
    std::vector<std::int64_t> found;
    for (const auto& [number, start] : cell.held()) found.push_back(start - cell.now.seconds);
    return found;
  }

  Cell cell;
  std::vector<std::int64_t> numbers;
  std::optional<rules::PassOrder> order;
  std::optional<rules::Starts> starts;
  std::optional<rules::HoldKeeper> keeper;
};

using Seconds = std::vector<std::int64_t>;

} // namespace

TEST(GivenAHoldKeeper, WhenHoldersWaitBehindEachOtherThenEachHasItsPlace) {
  Keeper it(4);
  EXPECT_EQ(it.starts_of_holds(), (Seconds{160, 320, 480})) << "three can be had";
  EXPECT_TRUE(it.keeper->may_hold(it.job(3)));
  EXPECT_TRUE(it.keeper->has_lower_holders(it.order->rank_of(it.job(0)), it.job(0).key));
  EXPECT_FALSE(it.keeper->has_lower_holders(it.order->rank_of(it.job(2)), it.job(2).key));
}

TEST(GivenAHoldKeeper, WhenLowerHoldsGiveWayThenTheyAreOutOfTheLedgerUntilTheyAreTakenBack) {
  Keeper it(3);
  it.displace_behind(0);
  EXPECT_EQ(it.used_at(160), 1) << "that of the job itself stays";
  EXPECT_EQ(it.used_at(320), 0);
  EXPECT_EQ(it.used_at(480), 0);
  it.keeper->take_back_displaced();
  EXPECT_EQ(it.used_at(320), 1);
  EXPECT_EQ(it.used_at(480), 1);
}

TEST(GivenAHoldKeeper, WhenLowerHoldsGaveWayThenTheSliceSettlesThem) {
  Keeper it(3);
  const auto before = it.starts_of_holds();
  it.displace_behind(0);
  it.keeper->settle_displaced();
  EXPECT_EQ(it.starts_of_holds(), before);
  EXPECT_EQ(it.used_at(480), 1);
  EXPECT_EQ(it.job(2).holds.front().cause, "") << "it has not moved later";
}

TEST(GivenAHoldKeeper, WhenANewcomerIsHigherThenTheLowestLosesItsHold) {
  Keeper it(3);
  const auto number = it.cell.submit(9, 1, true, 100);
  const auto key = it.cell.state.job_by_number({number})->key;
  const auto rank = it.order->rank_of(*it.cell.state.job(key));
  it.keeper->displace_behind(rank, key, {number});
  EXPECT_TRUE(it.keeper->hold_more(key, rank));
  it.keeper->settle_displaced();
  const auto held = it.cell.held();
  EXPECT_EQ(held.at(number), it.cell.now.seconds + 160);
  EXPECT_EQ(held.at(it.numbers[0]), it.cell.now.seconds + 320);
  EXPECT_EQ(held.count(it.numbers[2]), 0U);
  EXPECT_EQ(it.job(0).holds.front().cause,
            "job " + std::to_string(number) + " has a higher priority");
}

TEST(GivenAHoldKeeper, WhenAHoldIsLostAndALaterOneIsHadInTheSameSliceThenItNamesTheCause) {
  Keeper it(3);
  const auto number = it.cell.submit(9, 1, true, 1000);
  const auto key = it.cell.state.job_by_number({number})->key;
  const auto rank = it.order->rank_of(*it.cell.state.job(key));
  it.keeper->displace_behind(rank, key, {number});
  EXPECT_TRUE(it.keeper->hold_more(key, rank));
  it.keeper->settle_displaced();
  EXPECT_TRUE(it.job(2).holds.empty()) << "the newcomer has its place, 480";
  it.cell.state.keep_holds(it.job(1).key, 0);
  it.cell.state.reindex(it.job(1).key, it.cell.now);
  EXPECT_TRUE(it.keeper->hold_more(it.job(2).key, it.order->rank_of(it.job(2))));
  ASSERT_EQ(it.job(2).holds.size(), 1u);
  EXPECT_GT(it.job(2).holds.front().window.start, it.cell.now + Duration{480});
  EXPECT_EQ(it.job(2).holds.front().cause,
            "job " + std::to_string(number) + " has a higher priority");
}

TEST(GivenAHoldKeeper, WhenNothingChangedThenLookingAgainChangesNothing) {
  Keeper it(3);
  const auto before = it.starts_of_holds();
  for (const auto number : it.numbers)
    EXPECT_FALSE(it.keeper->look_at(it.cell.state.job_by_number({number})->key));
  EXPECT_EQ(it.starts_of_holds(), before);
  EXPECT_EQ(it.starts->count(), 0);
  EXPECT_TRUE(it.order->empty());
}

RC_GTEST_PROP(GivenHoldsOfManyJobs, WhenJobsComeAndTimePassesThenTheyMoveLaterOnlyForACause, ()) {
  Cell cell(*rc::gen::inRange(1, 5));
  std::map<std::int64_t, std::int64_t> before;
  const auto steps = *rc::gen::inRange(1, 15);
  for (int i = 0; i < steps; ++i) {
    cell.submit(*rc::gen::inRange(-3, 4), *rc::gen::inRange(1, 4), *rc::gen::arbitrary<bool>(),
                *rc::gen::inRange(1, 5) * 100);
    if (*rc::gen::arbitrary<bool>()) cell.now = cell.now + Duration{*rc::gen::inRange(1, 200)};
    cell.pass();
    const auto held = cell.held();
    RC_ASSERT(held.size() <= 3U);
    for (const auto& [number, start] : held) {
      const auto it = before.find(number);
      if (it == before.end() || start <= it->second) continue;
      RC_ASSERT(!cell.state.job_by_number({number})->holds.front().cause.empty());
    }
    before = held;
  }
}

RC_GTEST_PROP(GivenHoldsOfManyJobs, WhenAPassIsOverThenNoneWouldBeEarlierWithoutThoseBelowIt, ()) {
  Cell cell(*rc::gen::inRange(1, 5));
  const auto steps = *rc::gen::inRange(1, 15);
  for (int i = 0; i < steps; ++i) {
    cell.submit(*rc::gen::inRange(-3, 4), *rc::gen::inRange(1, 4), *rc::gen::arbitrary<bool>(),
                *rc::gen::inRange(1, 5) * 100);
    if (*rc::gen::arbitrary<bool>()) cell.now = cell.now + Duration{*rc::gen::inRange(1, 200)};
    cell.pass();
    Assumption without(cell.state);
    const auto& holders = cell.state.waiting().holders();
    for (auto it = holders.rbegin(); it != holders.rend(); ++it) {
      const auto& job = *cell.state.job(it->second);
      without.drop_holds(job);
      const auto earliest = place_earliest(without.look(), *make_class_request(cell.state, job),
                                           cell.now + Duration{1}, job.holds.front().window.start);
      RC_ASSERT(!earliest);
    }
  }
}
