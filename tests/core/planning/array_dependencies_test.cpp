// -hold_jid_ad: tasks wait for those of their number in other arrays (cli C3.25).
#include "tests/core/planning/planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenArraysInARow : public PlannerFixture {
public:
  GivenArraysInARow() { hosts(1, 2); }

  static JobRequest array(const std::string& name, std::int64_t last,
                          std::vector<std::string> predecessors = {}) {
    auto request = job(name);
    request.tasks = {1, last, 1};
    request.array_predecessors = std::move(predecessors);
    return request;
  }
  std::string refusal(const JobRequest& request) {
    return text(command(alice, Submit{request, ""}));
  }
  void run(std::int64_t number, std::int64_t task) {
    start(number, task);
    end(number, 0, task);
    pass();
  }
};

} // namespace

TEST_F(GivenArraysInARow, WhenATaskEndsThenThatOfItsNumberMayStart) {
  const auto first = submit(alice, array("first", 3));
  const auto second = submit(alice, array("second", 3, {"first"}));
  pass();
  EXPECT_EQ(find(first)->active_tasks(), 2);
  EXPECT_EQ(find(second)->blocked, (std::vector<TaskRange>{{1, 3, 1}}));
  start(first, 1), start(first, 2);
  end(first, 0, 2);
  EXPECT_EQ(find(second)->blocked, (std::vector<TaskRange>{{1, 1, 1}, {3, 3, 1}}));
  pass();
  EXPECT_TRUE(find(first)->find(3)->is_active());
  end(first, 0, 1);
  pass();
  ASSERT_NE(find(second)->find(1), nullptr);
  EXPECT_TRUE(find(second)->find(1)->is_active());
  EXPECT_EQ(find(second)->find(2), nullptr) << "there is no room";
  run(first, 3);
  EXPECT_EQ(find(first), nullptr);
  EXPECT_TRUE(find(second)->blocked.empty());
  EXPECT_TRUE(find(second)->waits_for_tasks.empty());
}

TEST_F(GivenArraysInARow, WhenATaskOfThePredecessorIsRunAgainThenItIsStillWaitedFor) {
  const auto first = submit(alice, array("first", 1));
  const auto second = submit(alice, array("second", 1, {"first"}));
  pass();
  start(first, 1);
  end(first, 99, 1);
  pass();
  EXPECT_FALSE(is_active(second));
  EXPECT_EQ(find(second)->blocked_tasks(), 1);
}

TEST_F(GivenArraysInARow, WhenTasksOfThePredecessorAreDeletedThenNobodyWaitsForThem) {
  const auto first = submit(alice, array("first", 4));
  const auto second = submit(alice, array("second", 4, {"first"}));
  command(alice, DeleteJobs{{std::to_string(first)}, {{2, 3, 1}}, {}, false});
  EXPECT_EQ(find(second)->blocked, (std::vector<TaskRange>{{1, 1, 1}, {4, 4, 1}}));
  command(alice, DeleteJobs{{std::to_string(first)}, {}, {}, false});
  EXPECT_TRUE(find(second)->blocked.empty());
  EXPECT_EQ(find(second)->fresh_tasks(), 4);
}

TEST_F(GivenArraysInARow, WhenOneWaitsForTwoThenItNeedsBoth) {
  submit(alice, array("first", 2));
  submit(alice, array("other", 2));
  const auto both = submit(alice, array("both", 2, {"first", "other"}));
  command(alice, DeleteJobs{{"first"}, {}, {}, false});
  EXPECT_EQ(find(both)->blocked_tasks(), 2);
  command(alice, DeleteJobs{{"other"}, {{1, 1, 1}}, {}, false});
  EXPECT_EQ(find(both)->blocked, (std::vector<TaskRange>{{2, 2, 1}}));
}

TEST_F(GivenArraysInARow, WhenWhatWaitsIsDeletedThenNothingOfItIsLeft) {
  submit(alice, array("first", 3));
  const auto second = submit(alice, array("second", 3, {"first"}));
  command(alice, DeleteJobs{{std::to_string(second)}, {{2, 2, 1}}, {}, false});
  EXPECT_EQ(find(second)->blocked_tasks(), 2);
  command(alice, DeleteJobs{{std::to_string(second)}, {}, {}, false});
  EXPECT_EQ(find(second), nullptr);
}

// docs/spec/cli.md C3.61
TEST_F(GivenArraysInARow, WhenTheyDoNotFitTogetherThenTheReasonSaysSo) {
  submit(alice, array("first", 3));
  auto single = job("single");
  single.array_predecessors = {"first"};
  EXPECT_EQ(refusal(single), "Unable to run job: -hold_jid_ad is for array jobs (-t).\nExiting.\n");
  EXPECT_EQ(refusal(array("second", 2, {"first"})),
            "Unable to run job: -hold_jid_ad: job 1 is no array with the same range of tasks.\n"
            "Exiting.\n");
  EXPECT_EQ(command(alice, Submit{array("second", 2, {"over"}), ""}).exit_code, 0)
      << "what never was is nothing to wait for";
}

TEST_F(GivenArraysInARow, WhenManyWaitForOneThenThereIsALimit) {
  submit(alice, array("first", 2));
  for (int i = 0; i < 20; ++i) submit(alice, array("next", 2, {"first"}));
  EXPECT_EQ(refusal(array("next", 2, {"first"})),
            "Unable to run job: -hold_jid_ad: 20 arrays wait for the tasks of job 1 already.\n"
            "Exiting.\n");
}

TEST_F(GivenArraysInARow, WhenOneIsAlteredThenItWaitsForOthersOrForNone) {
  const auto first = submit(alice, array("first", 2));
  const auto second = submit(alice, array("second", 2));
  AlterJobs change{{"second"}, {}, {"-hold_jid_ad"}, {}};
  change.request.array_predecessors = {"first"};
  EXPECT_EQ(text(command(alice, change)), "modified array predecessor list of job 2\n");
  EXPECT_EQ(find(second)->blocked_tasks(), 2);
  AlterJobs back{{"first"}, {}, {"-hold_jid"}, {}};
  back.request.predecessors = {"second"};
  EXPECT_EQ(text(command(alice, back)), "denied: job 1: it would wait for itself, through job 2\n");
  EXPECT_TRUE(find(first)->waits_for.empty());
  change.request.array_predecessors.clear();
  EXPECT_EQ(command(alice, change).exit_code, 0);
  EXPECT_EQ(find(second)->blocked_tasks(), 0);
}
