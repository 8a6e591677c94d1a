// The letters of a task: exactly those that clients know (spec/cli.md section 5.1, C5.12, C5.13).
#include "core/job/task.hpp"
#include "core/text/words.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace almanac;

namespace {

const std::string known = "qw hqw hRwq Rq t r Rr Rt s ts S tS T tT Rs RS RT Eqw Ehqw EhRqw dr dt "
                          "dRr dRt ds dS dT dRs dRS dRT";

Task task_of(TaskState state, int flags) {
  const auto is = [&](int bit) { return (flags >> bit & 1) != 0; };
  Task task;
  task.state = state, task.restarted = is(0), task.deleting = is(1);
  task.suspended_by_user = is(2), task.suspended_by_queue = is(3), task.throttled = is(4);
  task.suspended = is(2) || is(3) || is(4);
  return task;
}

} // namespace

TEST(GivenATaskInAnyState, WhenShownThenItsLettersAreThoseThatClientsKnow) {
  const auto list = words(known, " ");
  const std::set<std::string> wanted(list.begin(), list.end());
  std::set<std::string> shown;
  for (const auto state : {TaskState::sent, TaskState::running})
    for (int flags = 0; flags < 32; ++flags)
      shown.insert(state_letters(task_of(state, flags), false));
  for (const auto state : {TaskState::pending, TaskState::error})
    for (const bool held : {false, true})
      for (int flags = 0; flags < 2; ++flags)
        shown.insert(state_letters(task_of(state, flags), held));
  EXPECT_EQ(shown, wanted);
}

TEST(GivenATaskThatIsEnded, WhenItIsToBeTriedAgainThenItIsNotBeingDeleted) {
  auto task = task_of(TaskState::running, 0b00010);
  EXPECT_EQ(state_letters(task, false), "dr");
  task.after_end = AfterEnd::again;
  EXPECT_EQ(state_letters(task, false), "r");
}

TEST(GivenASuspendedTask, WhenThereAreSeveralCausesThenTheUsersIsShownElseTheQueues) {
  EXPECT_EQ(state_letters(task_of(TaskState::running, 0b11100), false), "s");
  EXPECT_EQ(state_letters(task_of(TaskState::running, 0b11000), false), "S");
  EXPECT_EQ(state_letters(task_of(TaskState::running, 0b10000), false), "T");
  EXPECT_EQ(state_letters(task_of(TaskState::running, 0b10100), false), "s");
  auto of_an_older_store = task_of(TaskState::running, 0);
  of_an_older_store.suspended = true;
  EXPECT_EQ(state_letters(of_an_older_store, false), "S");
}
