// Holds of jobs and of single tasks: spec/cli.md section 4, qhold and qrls (C4.10, C4.11).
#include "assignment_fixture.hpp"

#include "core/job/job_line.hpp"

using namespace almanac;

namespace {

class GivenAnArrayOfSix : public AssignmentFixture {
public:
  GivenAnArrayOfSix() { submit(alice, array(6)); }

  Answer change(const Caller& caller, std::vector<std::string> targets, bool release,
                std::string kinds = "u") {
    ChangeHold command{std::move(targets), {}, false, false, false, release};
    for (const char kind : kinds)
      (kind == 'u'   ? command.held_by_user
       : kind == 'o' ? command.held_by_operator
                     : command.held_by_system) = true;
    return this->command(caller, command);
  }
  std::string hold(const std::string& target, const std::string& kinds = "u") {
    return text(change(kinds == "u" ? alice : root, {target}, false, kinds));
  }
  std::string release(const std::string& target, const std::string& kinds = "u") {
    return text(change(kinds == "u" ? alice : root, {target}, true, kinds));
  }
  /// "hqw 2,3 qw 1", as qstat shows what waits.
  std::string waiting() const {
    std::vector<TaskPtr> tasks;
    for (const auto& task : find(1)->tasks) tasks.push_back(std::make_shared<const Task>(task));
    std::string all;
    for (const auto& line : lines_of(*find(1), tasks, false))
      if (!line.running) all += (all.empty() ? "" : " ") + line.state + " " + line.tasks;
    return all;
  }
};

} // namespace

TEST_F(GivenAnArrayOfSix, WhenSingleTasksAreHeldThenTheOthersRun) {
  EXPECT_EQ(hold("1.2"), "modified hold of job-array task 1.2\n");
  EXPECT_EQ(hold("1.3-5:2"), "modified hold of job-array tasks 3,5 of job 1\n");
  EXPECT_EQ(waiting(), "hqw 2,3,5 qw 1,4,6");
  hosts(1, 9);
  pass();
  EXPECT_EQ(find(1)->active_tasks(), 3);
  EXPECT_EQ(waiting(), "hqw 2,3,5");
  EXPECT_EQ(text(planner.ask(ExplainJob{1}, now)), "Job is in hold state\n");
  EXPECT_EQ(release("1.3"), "modified hold of job-array task 1.3\n");
  pass();
  EXPECT_EQ(waiting(), "hqw 2,5");
  release("1");
  pass();
  EXPECT_EQ(find(1)->active_tasks(), 6);
}

TEST_F(GivenAnArrayOfSix, WhenTasksOfAHeldJobAreReleasedThenTheOthersStay) {
  hold("1");
  EXPECT_EQ(waiting(), "hqw 1-6:1");
  release("1.5");
  EXPECT_FALSE(find(1)->is_held());
  EXPECT_EQ(waiting(), "hqw 1-4:1,6 qw 5");
  hold("1.5");
  EXPECT_EQ(find(1)->task_holds.by_user, (std::vector<TaskRange>{{1, 6, 1}}));
  hold("1"), release("array");
  EXPECT_EQ(waiting(), "qw 1-6:1");
  EXPECT_TRUE(find(1)->task_holds.empty());
}

TEST_F(GivenAnArrayOfSix, WhenSeveralHoldOneThenItRunsWhenAllHaveReleasedIt) {
  hold("1.1-3"), hold("1.2-4", "o"), hold("1.6", "s");
  EXPECT_EQ(waiting(), "hqw 4 hqw 6 hqw 1 hqw 2,3 qw 5") << "a line for each reason";
  release("1");
  EXPECT_EQ(waiting(), "hqw 2-4:1 hqw 6 qw 1,5");
  release("all", "os");
  EXPECT_EQ(waiting(), "qw 1-6:1");
  EXPECT_EQ(text(change(alice, {"1.1"}, false, "o")),
            "denied: \"alice\" must be operator to change an operator hold\n");
  EXPECT_EQ(text(change(alice, {"1.1"}, true, "s")),
            "denied: \"alice\" must be manager to change a system hold\n");
  EXPECT_EQ(change(bob, {"1.1"}, false).exit_code, 1);
  EXPECT_EQ(waiting(), "qw 1-6:1");
}

// A hold of what runs counts when it waits again.
TEST_F(GivenAnArrayOfSix, WhenATaskThatRunsIsHeldThenItWaitsOnlyAfterItCameBack) {
  hosts(1, 6);
  pass();
  start(1, 2);
  EXPECT_EQ(hold("1.2"), "modified hold of job-array task 1.2\n");
  EXPECT_EQ(find(1)->active_tasks(), 6);
  ModifyJobs again{JobAction::reschedule, {"1.2"}, true, false};
  EXPECT_EQ(command(alice, again).exit_code, 0);
  end_as_told(1, 2);
  pass();
  EXPECT_EQ(waiting(), "hRwq 2");
  release("1.2");
  pass();
  EXPECT_EQ(find(1)->active_tasks(), 6);
}

TEST_F(GivenAnArrayOfSix, WhenNothingSuchIsThereThenThatIsSaid) {
  EXPECT_EQ(hold("1.7"), "denied: task \"1.7\" does not exist\n");
  const auto plain = std::to_string(submit(alice, job("plain")));
  EXPECT_EQ(hold(plain + ".1"), "modified hold of job " + plain + "\n");
  EXPECT_EQ(hold(plain + ".2"), "denied: task \"" + plain + ".2\" does not exist\n");
  EXPECT_TRUE(find(2)->held_by_user);
  EXPECT_EQ(text(change(bob, {"all"}, false)),
            "There are no jobs registered for the following users: bob\n");
  EXPECT_EQ(text(change(root, {"all"}, true)), "modified hold of job 1\nmodified hold of job 2\n");
  EXPECT_FALSE(find(2)->held_by_user);
}

TEST_F(GivenAnArrayOfSix, WhenARangeListAppliesToAllTargetsThenTheseTasksAreHeld) {
  ChangeHold command{{"array"}, {}, true, false, false, false, {{1, 1, 1}, {4, 6, 2}}};
  EXPECT_EQ(text(this->command(alice, command)),
            "modified hold of job-array tasks 1,4,6 of job 1\n");
  command.tasks = {{1, 6, 2}};
  EXPECT_EQ(this->command(alice, command).exit_code, 1) << "no range whose last task is reached";
}

TEST_F(GivenAnArrayOfSix, WhenWhatIsHeldFallsApartIntoManyRangesThenThatIsRefused) {
  const auto id = std::to_string(submit(alice, array(9'999, 3)));
  const auto refused = change(alice, {id + ".1-9997:6"}, false);
  EXPECT_EQ(text(refused),
            "denied: job " + id + ": its tasks on hold would be more than 1000 ranges\n");
  EXPECT_TRUE(find(2)->task_holds.empty());
  EXPECT_EQ(change(alice, {id + ".1-9997:3"}, false).exit_code, 0);
  EXPECT_EQ(find(2)->task_holds.by_user, (std::vector<TaskRange>{{1, 9'997, 3}}));
}

// C2.14, C2.20: wc_job and its ranges.
TEST_F(GivenAnArrayOfSix, WhenJobsAreNamedByExpressionsThenThoseAreMeant) {
  submit(alice, job("build")), submit(alice, job("test")), submit(bob, job("build"));
  EXPECT_EQ(hold("build|test"), "modified hold of job 2\nmodified hold of job 3\n");
  EXPECT_EQ(release("!build"), "modified hold of job 1\nmodified hold of job 3\n");
  EXPECT_EQ(hold("a*&!*t.2-3"), "modified hold of job-array tasks 2,3 of job 1\n");
  EXPECT_EQ(hold("array.6"), "modified hold of job-array task 1.6\n");
  EXPECT_EQ(hold("(build"), "denied: job \"(build\" does not exist\n");
  EXPECT_EQ(text(command(alice, DeleteJobs{{"t*|nosuch"}, {}, {}, false})),
            "alice has deleted job 3\n");
}
