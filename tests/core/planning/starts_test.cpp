// What starts in one slice of a pass.
#include "core/planning/pass/starts.hpp"
#include "cell.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenAWaitingJob, WhenItStartsThenItsClassIsLookedAtAgain) {
  Cell cell(2);
  const auto first = cell.submit(0, 1, false, 100), second = cell.submit(0, 1, false, 100);
  rules::PassOrder order(cell.state, cell.now);
  rules::Starts starts(cell.state, order, cell.now);
  cell.state.refresh_order(cell.now);
  const auto& job = *cell.state.job_by_number({first});
  auto& waiting = cell.state.waiting().class_of(job.key);
  const auto wanted = starts.class_request_of(waiting, job);
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted, starts.class_request_of(waiting, *cell.state.job_by_number({second})));
  auto place = starts.place_now(job, *wanted);
  ASSERT_TRUE(place);
  starts.start(job.key, std::move(*place));
  EXPECT_EQ(starts.count(), 1);
  EXPECT_EQ(cell.running(), std::set{first});
  ASSERT_FALSE(order.empty());
  EXPECT_EQ(cell.state.job(order.next().key)->number.value, second);
}

TEST(GivenAWaitingJob, WhenLessIsFreeThanItNeedsThenItHasNoPlace) {
  Cell cell(2);
  cell.submit(0, 1, false, 100);
  cell.pass();
  const auto& job = *cell.state.job_by_number({cell.submit(0, 2, false, 100)});
  rules::PassOrder order(cell.state, cell.now);
  rules::Starts starts(cell.state, order, cell.now);
  const auto wanted = starts.class_request_of(cell.state.waiting().class_of(job.key), job);
  ASSERT_TRUE(wanted);
  EXPECT_FALSE(starts.place_now(job, *wanted));
}
