#include "planner_fixture.hpp"

#include "core/planning/questions/host_tasks.hpp"

#include <limits>

using namespace almanac;

using GivenAPlanner = PlannerFixture;

TEST_F(GivenAPlanner, WhenJobsAreSubmittedThenTheyStartInOrderOfPriorityAndNumber) {
  hosts(1, 1);
  const auto first = submit(alice, job("first"));
  auto low = job("low");
  low.priority = -10;
  const auto later = submit(alice, low);
  const auto second = submit(alice, job("second"));
  pass();
  EXPECT_TRUE(is_active(first));
  start(first);
  end(first);
  pass();
  EXPECT_TRUE(is_active(second));
  EXPECT_FALSE(is_active(later));
}

TEST_F(GivenAPlanner, WhenAnOrdinaryUserRaisesAPriorityThenTheJobIsRefused) {
  hosts(1, 1);
  auto request = job("high");
  request.priority = 1;
  EXPECT_NE(text(command(alice, Submit{request, ""}))
                .find("positive submission priority requires operator privileges"),
            std::string::npos);
  EXPECT_EQ(command(root, Submit{request, ""}).exit_code, 0);
}

TEST_F(GivenAPlanner, WhenAJobWithALongNameIsUnknownThenTheRefusalIsShort) {
  const std::string name(1'000'000, 'x');
  EXPECT_LT(text(command(alice, DeleteJobs{{name}, {}, {}, false})).size(), 200);
  EXPECT_LT(text(command(alice, ClearJobErrors{{name}})).size(), 200);
}

TEST_F(GivenAPlanner, WhenAJobWaitsForAnotherThenItStartsAfterItsEnd) {
  hosts(1, 2);
  const auto first = submit(alice, job("first"));
  auto request = job("second");
  request.predecessors = {"first"};
  const auto second = submit(alice, request);
  pass();
  EXPECT_FALSE(is_active(second));
  start(first);
  end(first);
  pass();
  EXPECT_TRUE(is_active(second));
}

TEST_F(GivenAPlanner, WhenTasksOfAnArrayAreDeletedThenTheOthersStay) {
  hosts(1, 1);
  auto request = job("array");
  request.tasks = {1, 5, 1};
  const auto id = submit(alice, request);
  pass();
  const auto answer = command(alice, DeleteJobs{{std::to_string(id) + ".3"}, {}, {}, false});
  EXPECT_EQ(text(answer), "alice has deleted job-array task 1.3\n");
  EXPECT_EQ(find(id)->fresh, (std::vector<TaskRange>{{2, 2, 1}, {4, 5, 1}}));
  EXPECT_EQ(command(bob, DeleteJobs{{std::to_string(id)}, {}, {}, false}).exit_code, 1);
  EXPECT_EQ(command(alice, DeleteJobs{{std::to_string(id)}, {}, {}, false}).exit_code, 0);
  start(id, 1);
  end(id, 0, 1);
  EXPECT_EQ(find(id), nullptr);
}

// V6 of spec/scheduling.md section 14.
TEST_F(GivenAPlanner, WhenAParallelJobIsPlacedThenTheAllocationRuleDecides) {
  hosts(3, 4);
  const auto place = [&](const std::string& pe, std::vector<SlotRange> slots) {
    auto request = job("parallel");
    request.pe = pe, request.slots = std::move(slots);
    const auto id = submit(root, request);
    pass();
    std::vector<std::int64_t> result;
    if (is_active(id))
      for (const auto& grant : find(id)->tasks.front().grants) result.push_back(grant.slots);
    command(root, DeleteJobs{{std::to_string(id)}, {}, {}, true});
    return result;
  };
  const auto rule = [&](const char* value) {
    command(root,
            Configure{{ChangeVerb::modify,
                       {ObjectKind::parallel_environment, "make", {{"allocation_rule", value}}},
                       {}}});
  };
  using Slots = std::vector<std::int64_t>;
  EXPECT_EQ(place("fill", {{6, 6}}), (Slots{4, 2}));
  EXPECT_EQ(place("mpi", {{6, 6}}), (Slots{2, 2, 2}));
  EXPECT_EQ(place("smp", {{6, 6}}), Slots{});
  EXPECT_EQ(place("smp", {{3, 8}}), Slots{4});
  rule("2");
  EXPECT_EQ(place("make", {{6, 6}}), (Slots{2, 2, 2}));
  rule("4");
  EXPECT_EQ(place("make", {{6, 6}}), Slots{});
  EXPECT_EQ(place("make", {{5, 8}}), (Slots{4, 4}));
  auto never = job("never");
  never.pe = "make", never.slots = {{6, 6}};
  EXPECT_NE(text(planner.ask(ExplainJob{submit(root, never)}, now))
                .find("it allocates 4 slots per host, and the request contains no multiple of 4"),
            std::string::npos);
}

TEST_F(GivenAPlanner, WhenPassesAreOffThenNothingStartsAndTheReasonIsTold) {
  hosts(1, 1);
  tell(Restarted{2, planner.digest(), true, {}});
  const auto number = submit(alice, job("waits"));
  pass();
  EXPECT_FALSE(is_active(number));
  EXPECT_NE(text(planner.ask(ExplainJob{number}, now)).find("crashed three times"),
            std::string::npos);
  tell(Restarted{3, planner.digest(), false, {}});
  pass();
  EXPECT_TRUE(is_active(number));
}

TEST_F(GivenAPlanner, WhenRequestsAreMalformedThenNothingChanges) {
  hosts(1, 1);
  const auto digest = planner.digest();
  std::vector<JobRequest> bad(6, job("bad"));
  bad[0].name = "a\x1b"
                "bc";
  bad[1].resources = {{"nosuch", "1"}};
  bad[2].resources = {{"h_rt", "banana"}};
  bad[3].resources = {{"slots", "2"}};
  bad[4].queues = {"nosuch.q"};
  bad[5].pe = "nosuch", bad[5].slots = {{1, 1}};
  for (const auto& request : bad)
    EXPECT_EQ(command(alice, Submit{request, ""}).exit_code, 1) << request.name;
  EXPECT_EQ(planner.digest(), digest);
}

// Its client has checked nothing: a division by the step would end the master, a loop over the
// tasks never end.
TEST_F(GivenAPlanner, WhenARangeOfTasksIsNoneThenItIsRefusedAndNothingChanges) {
  hosts(1, 1);
  auto array = job("array");
  array.tasks = {1, 10, 1};
  const auto number = std::to_string(submit(alice, array));
  const auto digest = planner.digest();
  for (const TaskRange wrong : {TaskRange{1, 10, 0},
                                {1, 10, -1},
                                {1, std::numeric_limits<std::int64_t>::max(), 1LL << 62}}) {
    array.tasks = wrong;
    EXPECT_EQ(command(alice, Submit{array, ""}).exit_code, 1);
    EXPECT_EQ(ask(VerifySubmit{alice, {array, ""}}).exit_code, 1);
    EXPECT_EQ(command(alice, DeleteJobs{{number}, {wrong}, {}, false}).exit_code, 1);
  }
  EXPECT_EQ(planner.digest(), digest);
}

TEST_F(GivenAPlanner, WhenAnOwnersNameIsNoAddressThenNoMailIsSentToIt) {
  Caller odd{"|x", "users", 1003, 1003, "master"};
  auto request = job("odd");
  request.mail_at = "a";
  const auto number = submit(odd, request);
  const auto decisions = handle(Command{odd, DeleteJobs{{std::to_string(number)}, {}, {}, false}});
  for (const auto& effect : decisions.effects) EXPECT_FALSE(std::holds_alternative<Letter>(effect));
  request.mail_to = {"alice"};
  const auto other = std::to_string(submit(odd, request));
  const auto told = handle(Command{odd, DeleteJobs{{other}, {}, {}, false}}).effects;
  EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](const Effect& effect) {
    return std::holds_alternative<Letter>(effect);
  }));
}

TEST_F(GivenAPlanner, WhenAQueueIsSuspendedThenItsTasksAreTooAndGoOnWithIt) {
  hosts(1, 1);
  const auto id = submit(alice, job("stopped"));
  pass();
  start(id);
  EXPECT_EQ(command(alice, ModifyQueues{QueueAction::suspend, {"all.q"}}).exit_code, 1)
      << "operators only";
  command(root, ModifyQueues{QueueAction::suspend, {"*@h1"}});
  EXPECT_EQ(state_letters(find(id)->tasks.front(), false), "S");
  command(root, ModifyQueues{QueueAction::unsuspend, {"all.q@@allhosts"}});
  EXPECT_EQ(state_letters(find(id)->tasks.front(), false), "r");
}

// S15.1, S15.2
TEST_F(GivenAPlanner, WhenJobInformationIsOffThenOnlyWhoAsksForMoreIsToldTheReasons) {
  hosts(1, 1);
  command(root,
          Configure{{ChangeVerb::modify,
                     {ObjectKind::scheduler_configuration, "", {{"schedd_job_info", "false"}}},
                     {}}});
  submit(root, job("runs"));
  const auto waits = submit(root, job("waits"));
  pass();
  EXPECT_EQ(text(planner.ask(ExplainJob{waits}, now)),
            "collecting of scheduler job information is turned off (schedd_job_info): "
            "qalter -w p 2 tells the reasons, and almanac-console why 2\n");
  EXPECT_NE(text(planner.ask(ExplainJob{waits, true}, now)).find("taken by job 1"),
            std::string::npos);
}

TEST_F(GivenAPlanner, WhenJobInformationIsOfListedJobsThenOfThemAlone) {
  const auto list = [&](const char* value) {
    return command(
        root, Configure{{ChangeVerb::modify,
                         {ObjectKind::scheduler_configuration, "", {{"schedd_job_info", value}}},
                         {}}});
  };
  hosts(1, 1);
  submit(root, job("runs"));
  const auto second = submit(root, job("second")), third = submit(root, job("third"));
  pass();
  const auto is_told = [&](std::int64_t number) {
    return text(planner.ask(ExplainJob{number}, now)).find("taken by job 1") != std::string::npos;
  };
  EXPECT_EQ(list("job_list 7-9, 3").exit_code, 0);
  EXPECT_FALSE(is_told(second));
  EXPECT_TRUE(is_told(third));
  EXPECT_EQ(list("job_list 2-3").exit_code, 0);
  EXPECT_TRUE(is_told(second));
  for (const char* wrong : {"job_list", "job_list 0", "job_list 3-2", "job_list x", "jobs 3"})
    EXPECT_NE(list(wrong).exit_code, 0) << wrong;
}

// The store came from a backup: a host has tasks of jobs that came later.
TEST_F(GivenAPlanner, WhenAHostHasTasksOfLostRecordsThenTheirKeysAreNotGivenAgain) {
  hosts(1, 2);
  const auto known = find(submit(root, job("known")))->key;
  command(root, DeleteJobs{{"known"}, {}, {}, false});
  tell(HostRegistered{"h1", {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}, 50});
  EXPECT_TRUE(is_over(planner.state(), {known, 0, 1}));
  EXPECT_FALSE(is_over(planner.state(), {50, 0, 1})) << "what is not known may run";
  EXPECT_TRUE(is_over(planner.state(), {0, 0, 1})) << "a hook is called again";
  const auto next = submit(root, job("next"));
  EXPECT_EQ(find(next)->key.value, 51);
  EXPECT_GT(next, 49) << "nobody has the same number";
  tell(HostRegistered{"h1",
                      {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"},
                      std::numeric_limits<std::int64_t>::max()});
  EXPECT_EQ(planner.state().next_key(), 52) << "nobody is believed everything";
}
