#include "core/job/job_line.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

// An array 1-9:2 of which task 1 runs on two hosts, 3 is in error, and the others never ran.
struct Array {
  Job job;
  std::vector<TaskPtr> tasks;
  std::vector<JobLine> lines(bool all_grants = false) const {
    return lines_of(job, tasks, all_grants);
  }
};
Array array() {
  Job job;
  job.submitted = {100};
  job.request.edit().tasks = {1, 9, 2};
  job.fresh = {{5, 9, 2}};
  Task runs;
  runs.number = 1, runs.state = TaskState::running, runs.started = {150};
  runs.grants = {{{"all.q", "h1"}, 2}, {{"all.q", "h2"}, 1}};
  Task failed;
  failed.number = 3, failed.state = TaskState::error;
  return {job, {std::make_shared<const Task>(runs), std::make_shared<const Task>(failed)}};
}

} // namespace

TEST(GivenAnArray, WhenShownThenRunningTasksHaveALineAndEqualWaitingOnesShareOne) {
  const auto lines = array().lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].state, "r");
  EXPECT_EQ(lines[0].tasks, "1");
  EXPECT_EQ(lines[0].slots, 3);
  EXPECT_EQ(lines[0].time, Instant{150});
  EXPECT_EQ(lines[0].grants, (std::vector<Grant>{{{"all.q", "h1"}, 2}}));
  EXPECT_EQ(lines[1].state, "Eqw");
  EXPECT_EQ(lines[1].tasks, "3");
  EXPECT_EQ(lines[2].state, "qw");
  EXPECT_EQ(lines[2].tasks, "5-9:2");
  EXPECT_EQ(lines[2].time, Instant{100});
  EXPECT_TRUE(lines[2].grants.empty());
  EXPECT_EQ(array().lines(true)[0].grants.size(), 2U);
}

TEST(GivenAnArray, WhenTwoTasksWaitThenBothAreNamedAndThreeAreARange) {
  auto shown = array();
  shown.job.fresh = {{7, 9, 2}};
  EXPECT_EQ(shown.lines()[2].tasks, "7,9");
  shown.job.request.edit().tasks = {1, 2, 1}, shown.job.fresh = {{1, 2, 1}}, shown.tasks.clear();
  EXPECT_EQ(shown.lines()[0].tasks, "1,2");
}

TEST(GivenAnArray, WhenItIsHeldThenItsLettersSaySo) {
  auto shown = array();
  shown.job.held_by_user = true;
  const auto lines = shown.lines();
  EXPECT_EQ(lines[0].state, "r");
  EXPECT_EQ(lines[2].state, "hqw");
  EXPECT_TRUE(lines[2].held);
}

TEST(GivenAJobThatIsNoArray, WhenShownThenNoTasksAreNamed) {
  Job job;
  job.fresh = {{0, 0, 1}};
  job.request.edit().slots = {{4, 8}};
  job.request.edit().pe = "smp";
  const auto lines = lines_of(job, {}, false);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].tasks, "");
  EXPECT_EQ(lines[0].slots, 4);
}

// C6.7
TEST(GivenAnArray, WhenItIsHeldThenItsLinesSayByWhat) {
  auto shown = array();
  EXPECT_EQ(shown.lines()[2].holds, "");
  shown.job.held_by_user = shown.job.held_by_system = true;
  shown.job.waits_for = {{7}};
  shown.job.request.edit().execution_time = {500};
  EXPECT_EQ(shown.lines()[2].holds, "usja");
  EXPECT_EQ(shown.lines().size(), 3U);
}

// C6.7: those that wait for different reasons have a line each.
TEST(GivenAnArray, WhenSomeOfItsTasksAreHeldThenTheyHaveALineOfTheirOwn) {
  auto shown = array();
  shown.job.task_holds.by_operator = {{7, 7, 2}};
  shown.job.blocked = {{9, 9, 2}};
  std::string text;
  for (const auto& line : shown.lines())
    if (!line.running) text += line.state + line.tasks + line.holds + " ";
  EXPECT_EQ(text, "Eqw3 hqw9d hqw7o qw5 ");
}

TEST(GivenAParallelTask, WhenShownThenItsParallelEnvironmentIs) {
  auto shown = array();
  Task task = *shown.tasks.front();
  task.pe = "mpi";
  shown.tasks.front() = std::make_shared<const Task>(task);
  EXPECT_EQ(shown.lines()[0].pe, "mpi");
}
