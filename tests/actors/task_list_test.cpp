// What the master has been told of an agent's tasks.
#include "actors/agent/task_list.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

const Attempt first_task{1, 0, 1}, second_task{2, 0, 1};

session::TaskReport report_of(const Attempt& attempt, session::TaskPhase phase) {
  return {attempt, phase, true, false, "store", 7, {}};
}

} // namespace

TEST(GivenAListOfTasks, WhenOneChangesBeforeTheVerdictsOfTheMasterThenItIsNewsAfterThem) {
  TaskList tasks;
  tasks.adopt(report_of(first_task, session::TaskPhase::running));
  tasks.adopt(report_of(second_task, session::TaskPhase::running));
  tasks.change(report_of(second_task, session::TaskPhase::ended)); // it is in the list
  EXPECT_EQ(tasks.list().size(), 2u);
  tasks.change(report_of(first_task, session::TaskPhase::ended));
  const auto news = tasks.registered();
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ(news.front().attempt, first_task);
  EXPECT_EQ(news.front().phase, session::TaskPhase::ended);
  EXPECT_TRUE(tasks.registered().empty()) << "each is told once";
}

TEST(GivenAListOfTasks, WhenTheHostIsRegisteredThenChangesAreNotKeptUntilTheMasterIsLost) {
  TaskList tasks;
  tasks.adopt(report_of(first_task, session::TaskPhase::running));
  tasks.registered();
  EXPECT_TRUE(tasks.is_registered());
  tasks.change(report_of(first_task, session::TaskPhase::ended));
  EXPECT_TRUE(tasks.registered().empty());
  tasks.lost();
  EXPECT_FALSE(tasks.is_registered());
  tasks.change(report_of(first_task, session::TaskPhase::ended));
  EXPECT_EQ(tasks.registered().size(), 1u);
}

TEST(GivenAListOfTasks, WhenATaskIsForgottenThenItIsNeitherInTheListNorNews) {
  TaskList tasks;
  tasks.adopt(report_of(first_task, session::TaskPhase::running));
  tasks.change(report_of(first_task, session::TaskPhase::ended));
  tasks.forget(first_task);
  EXPECT_FALSE(tasks.contains(first_task));
  EXPECT_EQ(tasks.find(first_task), nullptr);
  EXPECT_TRUE(tasks.registered().empty());
  EXPECT_TRUE(tasks.list().empty());
}

TEST(GivenAMasterWithATerm, WhenOneWithAnOlderTermOfTheSameStoreComesThenItIsNotObeyed) {
  TaskList tasks;
  ASSERT_TRUE(tasks.welcome({7, "store", {}}).ok());
  tasks.begin(first_task);
  EXPECT_EQ(tasks.find(first_task)->term.value, 7);
  EXPECT_EQ(tasks.find(first_task)->store_id, "store");
  const auto older = tasks.welcome({6, "store", {}});
  EXPECT_EQ(older.what(), "the master has an older term than before: 6 < 7");
  EXPECT_EQ(tasks.term().value, 7);
  EXPECT_TRUE(tasks.welcome({7, "store", {}}).ok()) << "the same one, once more";
  EXPECT_TRUE(tasks.welcome({1, "another store", {}}).ok());
  EXPECT_EQ(tasks.term().value, 1);
}
