// Who comes next in a pass.
#include "core/planning/pass/pass_order.hpp"
#include "cell.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

// The numbers of all that is handed out, in order.
std::vector<std::int64_t> handed_out(State& state, rules::PassOrder& order) {
  std::vector<std::int64_t> numbers;
  while (!order.empty()) numbers.push_back(state.job(order.next().key)->number.value);
  return numbers;
}

using Numbers = std::vector<std::int64_t>;

} // namespace

TEST(GivenWaitingJobs, WhenAPassCollectsThemThenTheHighestPriorityComesFirst) {
  Cell cell(1);
  const auto low = cell.submit(-5, 1, false, 100), first = cell.submit(5, 1, false, 100),
             other = cell.submit(5, 1, false, 200);
  cell.submit(5, 1, false, 100);
  rules::PassOrder order(cell.state, cell.now);
  order.collect();
  EXPECT_EQ(handed_out(cell.state, order), (Numbers{first, other, low}))
      << "a class comes by its first job";
}

TEST(GivenWaitingJobs, WhenAClassIsCleanThenItDoesNotCome) {
  Cell cell(1);
  const auto first = cell.submit(0, 1, false, 100), second = cell.submit(0, 1, false, 200);
  const auto key = cell.state.job_by_number({first})->key;
  cell.state.waiting().class_of(key).dirty = false;
  rules::PassOrder order(cell.state, cell.now);
  order.collect();
  EXPECT_EQ(handed_out(cell.state, order), Numbers{second});
  order.add_class_of(key);
  EXPECT_EQ(handed_out(cell.state, order), Numbers{first});
}

TEST(GivenHolders, WhenTheyAreUnsettledThenTheyComeInTheOrderOfPriority) {
  Cell cell(1);
  cell.submit(0, 1, false, 100);
  cell.pass();
  const auto low = cell.submit(1, 1, true, 100), high = cell.submit(2, 1, true, 100);
  cell.pass();
  ASSERT_EQ(cell.held().size(), 2U);
  const auto waits = cell.submit(0, 1, false, 100), urgent = cell.submit(3, 1, false, 100);
  rules::PassOrder settled(cell.state, cell.now);
  settled.collect();
  EXPECT_EQ(handed_out(cell.state, settled), (Numbers{urgent, waits}));
  cell.state.waiting().unsettle(Statement::said("a test"));
  rules::PassOrder order(cell.state, cell.now);
  order.collect();
  order.drop_holder(cell.state.job_by_number({low})->key);
  EXPECT_EQ(handed_out(cell.state, order), (Numbers{urgent, high, waits}));
}

TEST(GivenTheShortestFirst, WhenOneDoesNotFitThenTheShortestOfTheOthersCome) {
  Cell cell(1, {{"params", "BACKFILL=shortest"}});
  const auto high = cell.submit(9, 1, false, 300), lengthy = cell.submit(5, 1, false, 200),
             brief = cell.submit(1, 1, false, 100);
  rules::PassOrder order(cell.state, cell.now);
  order.collect();
  EXPECT_EQ(cell.state.job(order.next().key)->number.value, high);
  order.block();
  EXPECT_TRUE(order.is_blocked());
  EXPECT_EQ(handed_out(cell.state, order), (Numbers{brief, lengthy}));
}

RC_GTEST_PROP(GivenAPassOrder, WhenItHandsOneOutThenNoDirtyClassHasAHigherPriority, ()) {
  Cell cell(1);
  const auto submit = [&] {
    return cell.submit(*rc::gen::inRange(-3, 4), 1, false, *rc::gen::inRange(1, 5) * 100);
  };
  std::vector<std::int64_t> numbers;
  const auto count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) numbers.push_back(submit());
  rules::PassOrder order(cell.state, cell.now);
  order.collect();
  auto again = *rc::gen::inRange(0, 12);
  while (!order.empty()) {
    const auto item = order.next();
    for (const auto& [name, waiting] : cell.state.waiting().classes())
      if (waiting.dirty && !waiting.jobs.empty())
        RC_ASSERT(order.rank_of(*cell.state.job(*waiting.jobs.begin())) >= item.rank);
    item.waiting->dirty = false;
    // Something of another class may fit now, of a higher priority or of a lower one.
    if (again-- > 0)
      order.add_class_of(cell.state.job_by_number({*rc::gen::elementOf(numbers)})->key);
  }
  for (const auto& [name, waiting] : cell.state.waiting().classes())
    RC_ASSERT(!waiting.dirty || waiting.jobs.empty());
}
