#include "core/policy/priority.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenPriorities : public PlannerFixture {
public:
  std::int64_t urgency(const JobRequest& request) const {
    return resource_urgency(planner.state().configuration(), request);
  }
  static JobRequest range(const std::string& pe, std::vector<SlotRange> slots) {
    auto request = job("j");
    request.pe = pe, request.slots = std::move(slots);
    return request;
  }
};

constexpr std::int64_t million = 1'000'000;

} // namespace

TEST_F(GivenPriorities, WhenNothingDiffersThenAPlainJobHasTheWellKnownValue) {
  Job plain;
  const auto priority =
      priority_of(planner.state().configuration(), plain, PriorityScale(), Instant{1000});
  EXPECT_EQ(priority.value, 555'000);
  EXPECT_EQ(priority.posix, 500'000);
}

TEST_F(GivenPriorities, WhenSlotsAreARangeThenTheParallelEnvironmentSaysWhichCount) {
  const auto with = [&](const char* rule) {
    change({ObjectKind::parallel_environment, "mpi", {{"urgency_slots", rule}, {"slots", "20"}}});
    return urgency(range("mpi", {{2, 4}, {8, most_slots}})) / (1000 * million);
  };
  EXPECT_EQ(with("min"), 2);
  EXPECT_EQ(with("max"), 20);
  EXPECT_EQ(with("7"), 7);
  EXPECT_EQ(with("avg"), (2 + 3 + 4 + (8 + 20) * 13 / 2) / 16);
  EXPECT_EQ(urgency(range("mpi", {{5, 5}})) / (1000 * million), 5);
}

TEST_F(GivenPriorities, WhenResourcesAreUrgentThenUnitsAndSlotsCount) {
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  table.set("license", "lic INT <= YES YES 0 10");
  table.set("share", "shr DOUBLE <= YES YES 0 4");
  table.set("kind", "knd RESTRING == YES NO NONE 3");
  change(table);
  auto request = range("mpi", {{2, 2}});
  request.resources = {{"license", "3"}, {"share", "0.5"}, {"kind", "a"}};
  EXPECT_EQ(urgency(request), (2000 + 2 * 3 * 10 + 2 * 2 + 3) * million);
}

TEST_F(GivenPriorities, WhenAJobWaitsOrHasADeadlineThenItsUrgencyGrows) {
  change({ObjectKind::scheduler_configuration,
          "",
          {{"weight_waiting_time", "0.5"}, {"weight_deadline", "100"}}});
  Job waiting;
  waiting.submitted = {1000};
  waiting.request.edit().deadline = {1200};
  const auto at = [&](std::int64_t now) {
    return urgency_of(planner.state().configuration(), waiting, {now});
  };
  EXPECT_EQ(at(1100).waiting, 50 * million);
  EXPECT_EQ(at(1100).deadline, 1 * million);
  EXPECT_EQ(at(1199).deadline, 100 * million);
  EXPECT_EQ(at(1300).deadline, 100 * million);
}

TEST_F(GivenPriorities, WhenUrgencyAndPosixPriorityDisagreeThenThatOfTheManualWins) {
  hosts(1, 1);
  const auto running = submit(alice, job("run"));
  pass();
  auto raised = job("raised");
  raised.priority = 52;
  const auto by_posix = submit(root, raised);
  const auto by_slots = submit(alice, range("smp", {{1, 1}}));
  start(running);
  end(running);
  pass();
  EXPECT_TRUE(is_active(by_posix));
  EXPECT_FALSE(is_active(by_slots));
}

TEST_F(GivenPriorities, WhenADeadlineIsAskedForThenTheUserHasToBeListed) {
  auto request = job("soon");
  request.deadline = {2'000'000};
  EXPECT_NE(text(command(alice, Submit{request, ""})).find("is not in userset \"deadlineusers\""),
            std::string::npos);
  EXPECT_EQ(command(root, Submit{request, ""}).exit_code, 0);
}

TEST_F(GivenPriorities, WhenTasksOrUsersAreLimitedThenNoMoreOfThemRun) {
  hosts(1, 8);
  auto array = job("array");
  array.tasks = {1, 5, 1}, array.most_running = 2;
  const auto few = submit(alice, array);
  pass();
  EXPECT_EQ(find(few)->active_tasks(), 2);
  change({ObjectKind::scheduler_configuration, "", {{"maxujobs", "3"}}});
  const auto one = submit(alice, job("one"));
  const auto two = submit(alice, job("two"));
  const auto other = submit(bob, job("other"));
  pass();
  EXPECT_TRUE(is_active(one));
  EXPECT_FALSE(is_active(two));
  EXPECT_TRUE(is_active(other));
  EXPECT_NE(text(planner.ask(ExplainJob{two}, now)).find("maxujobs"), std::string::npos);
}

TEST_F(GivenPriorities, WhenAJobIsAlteredThenItIsAsIfItHadBeenSubmittedSo) {
  hosts(1, 1);
  submit(alice, job("run"));
  pass();
  const auto number = submit(alice, job("waits"));
  AlterJobs command_{{std::to_string(number)}, {}, {"-l", "-p"}, job("x", "77")};
  command_.request.priority = -5;
  const auto changed = command(alice, command_);
  EXPECT_EQ(text(changed), "modified hard resource list of job 2\nmodified priority of job 2\n");
  EXPECT_EQ(asked_limit(find(number)->request), Duration{77});
  EXPECT_EQ(find(number)->request->name, "waits");
  EXPECT_EQ(command(bob, command_).exit_code, 1);
  command_.request.priority = 5;
  EXPECT_NE(text(command(alice, command_)).find("positive submission priority"), std::string::npos);
  EXPECT_EQ(command(alice, AlterJobs{{"1"}, {}, {"-l"}, job("x", "78")}).exit_code, 1)
      << "it runs, and has its limits";
  EXPECT_EQ(command(alice, AlterJobs{{"2"}, {}, {"-t"}, job("x")}).exit_code, 1);
}

// Nothing of it starts past a limit, and then nothing of it is there.
TEST_F(GivenPriorities, WhenAnArrayIsToStartAtOnceThenLimitsCountForEachOfItsTasks) {
  hosts(1, 4);
  auto array = job("array");
  array.tasks = {1, 3, 1}, array.immediate = true, array.reserve = true;
  const auto refusal = [&] { return text(command(alice, Submit{array, "hash"})); };
  array.most_running = 2;
  EXPECT_NE(refusal().find("the limit of -tc"), std::string::npos);
  array.most_running = 0;
  change({ObjectKind::global_configuration, "", {{"max_aj_instances", "2"}}});
  EXPECT_NE(refusal().find("the limit of max_aj_instances"), std::string::npos);
  change({ObjectKind::global_configuration, "", {{"max_aj_instances", "3"}}});
  change({ObjectKind::scheduler_configuration, "", {{"maxujobs", "2"}}});
  EXPECT_NE(refusal().find("2 jobs of \"alice\" may run (maxujobs)"), std::string::npos);
  change({ObjectKind::scheduler_configuration, "", {{"maxujobs", "3"}}});
  EXPECT_EQ(find(submit(alice, array))->active_tasks(), 3);
  EXPECT_FALSE(find(1)->request->reserve) << "it never waits";
}
