// What stops tasks and lets them go on: spec/cli.md section 4, qmod (C4.21), and 5.1 (C5.6 to C5.8).
#include "assignment_fixture.hpp"

using namespace almanac;

namespace {

class GivenJobsThatRun : public AssignmentFixture {
public:
  std::int64_t running(JobRequest request) {
    const auto number = submit(alice, std::move(request));
    pass();
    for (const auto& task : std::vector<Task>(find(number)->tasks)) start(number, task.number);
    return number;
  }
  std::string letters(std::int64_t number, std::int64_t task = 0) const {
    return state_letters(*find(number)->find(task), false);
  }
  std::string modify(const Caller& caller, JobAction action, const std::string& target,
                     bool force = false) {
    return text(command(caller, ModifyJobs{action, {target}, force, false}));
  }
  std::string suspend(const std::string& target) {
    return modify(alice, JobAction::suspend, target);
  }
  std::string unsuspend(const std::string& target) {
    return modify(alice, JobAction::unsuspend, target);
  }
  void queues(QueueAction action) {
    EXPECT_EQ(command(root, ModifyQueues{action, {"all.q"}}).exit_code, 0);
  }
};

} // namespace

// C4.21: by hand and with its queue instance; it goes on when neither is left.
TEST_F(GivenJobsThatRun, WhenTwoCausesSuspendOneThenItGoesOnWithTheLastOfThem) {
  hosts(1, 4);
  running(job("works"));
  EXPECT_EQ(suspend("1"), "alice - suspended job 1\n");
  EXPECT_EQ(letters(1), "s");
  EXPECT_EQ(suspend("1"), "alice - job 1 is already suspended\n");
  queues(QueueAction::suspend);
  EXPECT_EQ(letters(1), "s") << "the user's is shown";
  EXPECT_EQ(unsuspend("1"), "alice - unsuspended job 1\n");
  EXPECT_EQ(letters(1), "S");
  EXPECT_TRUE(find(1)->tasks.front().suspended);
  EXPECT_EQ(suspend("works"), "alice - suspended job 1\n");
  queues(QueueAction::unsuspend);
  EXPECT_EQ(letters(1), "s");
  EXPECT_EQ(unsuspend("1"), "alice - unsuspended job 1\n");
  EXPECT_EQ(letters(1), "r");
  EXPECT_FALSE(find(1)->tasks.front().suspended);
  EXPECT_EQ(unsuspend("1"), "alice - job 1 is already unsuspended\n");
}

TEST_F(GivenJobsThatRun, WhenAThresholdSuspendsOneToThenItsUserDoesNotLiftThat) {
  hosts(1, 4);
  queue("all.q", {{"load_thresholds", "NONE"}, {"suspend_thresholds", "np_load_avg=2"}});
  running(job("works"));
  tell(loaded("h1", 900));
  now = now + Duration{60};
  pass();
  EXPECT_EQ(letters(1), "T");
  EXPECT_EQ(unsuspend("1"), "alice - job 1 is not suspended by administrator - modify suspend "
                            "threshold list of queue to remove suspend state\n");
  suspend("1");
  EXPECT_EQ(letters(1), "s");
  EXPECT_EQ(unsuspend("1"), "alice@master removed administrator suspension of job 1 (suspend "
                            "threshold is still active)\n");
  EXPECT_EQ(letters(1), "T");
  queues(QueueAction::suspend);
  EXPECT_EQ(letters(1), "S") << "the queue's before the threshold's";
}

// As load_thresholds: who takes the thresholds away waits for no report of load.
TEST_F(GivenJobsThatRun, WhenSuspendThresholdsGoThenAllGoOnAtOnce) {
  hosts(1, 4);
  queue("all.q",
        {{"load_thresholds", "NONE"}, {"suspend_thresholds", "np_load_avg=2"}, {"nsuspend", "2"}});
  running(job("a")), running(job("b"));
  tell(loaded("h1", 900));
  now = now + Duration{60};
  pass();
  EXPECT_EQ(letters(1), "T");
  EXPECT_EQ(letters(2), "T");
  suspend("2");
  queue("all.q", {{"nsuspend", "1"}});
  EXPECT_EQ(letters(1), "T") << "the thresholds stand";
  queue("all.q", {{"suspend_thresholds", "NONE"}});
  EXPECT_EQ(letters(1), "r");
  EXPECT_EQ(letters(2), "s") << "by its user";
  EXPECT_FALSE(planner.state().instance({"all.q", "h1"}).throttles);
}

// scheduling.md section 13: it keeps what it holds.
TEST_F(GivenJobsThatRun, WhenOneIsSuspendedThenItsSlotsStayTaken) {
  hosts(1, 1);
  running(job("works", "100"));
  suspend("1");
  const auto waits = submit(bob, job("waits"));
  pass();
  EXPECT_FALSE(is_active(waits));
  EXPECT_EQ(find(1)->tasks.front().limit, Duration{100});
}

TEST_F(GivenJobsThatRun, WhenTasksOfAnArrayAreNamedThenTheseAreSuspended) {
  hosts(1, 3);
  running(array(4));
  EXPECT_EQ(suspend("1.2"), "alice - suspended job-array task 1.2\n");
  EXPECT_EQ(letters(1, 1), "r");
  EXPECT_EQ(letters(1, 2), "s");
  EXPECT_EQ(suspend("1.1-3"), "alice - suspended job-array tasks 1,3 of job 1\n"
                              "alice - job-array task 1.2 is already suspended\n");
  const auto waits = command(alice, ModifyJobs{JobAction::suspend, {"1.4"}, false, false});
  EXPECT_EQ(text(waits), "Modify operation can not be applied on job-array task 1.4 in "
                         "pending/hold state\n");
  EXPECT_EQ(waits.exit_code, 1);
  EXPECT_EQ(unsuspend("1"), "alice - unsuspended job-array tasks 1-3:1 of job 1\n");
  EXPECT_EQ(unsuspend("1.9"), "denied: task \"1.9\" does not exist\n");
}

TEST_F(GivenJobsThatRun, WhenOneWaitsOrIsAnothersOrUnknownThenNothingChanges) {
  const auto id = submit(alice, job("waits"));
  EXPECT_EQ(suspend("1"), "Modify operation can not be applied on job 1 in pending/hold state\n");
  hosts(1, 1);
  pass(), start(id);
  EXPECT_EQ(modify(bob, JobAction::suspend, "1"),
            "bob - you have no permission to modify job \"1\"\n");
  EXPECT_EQ(modify(bob, JobAction::suspend, "waits"), "invalid queue or job \"waits\"\n");
  EXPECT_EQ(suspend("7"), "invalid queue or job \"7\"\n");
  EXPECT_EQ(letters(1), "r");
  EXPECT_EQ(modify(root, JobAction::suspend, "wai*"), "root - suspended job 1\n");
  EXPECT_EQ(command(root, ModifyJobs{JobAction::suspend, {}, false, false}).exit_code, 1);
}

// C5.6, C5.10: before it runs, while it is deleted, and after it was started again.
TEST_F(GivenJobsThatRun, WhenASuspendedOneHasOtherStatesTooThenItsLettersAreThoseOfTheList) {
  hosts(1, 2);
  auto request = job("again");
  request.rerun = Rerun::yes;
  const auto id = submit(alice, request);
  pass();
  suspend("1");
  EXPECT_EQ(letters(1), "ts");
  start(id);
  EXPECT_EQ(letters(1), "s");
  modify(alice, JobAction::reschedule, "1");
  end_as_told(id);
  ASSERT_EQ(find(1)->tasks.front().state, TaskState::pending);
  EXPECT_EQ(letters(1), "Rq");
  EXPECT_FALSE(find(1)->tasks.front().suspended_by_user) << "a cause belongs to what runs";
  pass();
  EXPECT_EQ(letters(1), "Rt");
  start(id);
  EXPECT_EQ(letters(1), "Rr");
  suspend("1");
  EXPECT_EQ(letters(1), "Rs");
  command(alice, DeleteJobs{{"1"}, {}, {}, false});
  EXPECT_EQ(letters(1), "dRs");
}

// C4.24
TEST_F(GivenJobsThatRun, WhenAQueueOrAJobMayBeMeantThenTheQueueIs) {
  hosts(1, 1);
  running(job("all.q"));
  const auto either = [&](JobAction action, const std::string& target) {
    return text(command(root, ModifyJobs{action, {target}, false, true}));
  };
  EXPECT_EQ(either(JobAction::suspend, "all.q"),
            "root@master changed state of \"all.q@h1\" (suspended)\n");
  EXPECT_EQ(letters(1), "S");
  EXPECT_EQ(either(JobAction::unsuspend, "*@h1"),
            "root@master changed state of \"all.q@h1\" (unsuspended)\n");
  EXPECT_EQ(either(JobAction::suspend, "1"), "root - suspended job 1\n");
  EXPECT_EQ(either(JobAction::suspend, "nosuch"), "invalid queue or job \"nosuch\"\n");
}

// C4.22: rerunnable ones, or with -f any.
TEST_F(GivenJobsThatRun, WhenOneIsRescheduledThenItEndsFirstAndIsTriedAgain) {
  hosts(1, 1);
  running(job("once"));
  EXPECT_EQ(modify(alice, JobAction::reschedule, "1"), "The job 1 is not restartable\n");
  EXPECT_FALSE(find(1)->tasks.front().deleting);
  EXPECT_EQ(modify(alice, JobAction::reschedule, "1", true),
            "Forced rescheduling of job 1 on host h1\n");
  EXPECT_TRUE(find(1)->tasks.front().deleting);
  pass();
  EXPECT_EQ(find(1)->tasks.front().attempt, 1) << "it runs still";
  end_as_told(1);
  EXPECT_EQ(letters(1), "Rq");
  EXPECT_EQ(find(1)->tasks.front().reason, "rescheduled by alice");
  pass();
  EXPECT_EQ(find(1)->tasks.front().attempt, 2);
}

// objects.md O7.31
TEST_F(GivenJobsThatRun, WhenOneThatMayNotRunAgainIsRescheduledThenASiteMayHaveItEnded) {
  hosts(1, 2);
  command(root, Configure{{ChangeVerb::modify,
                           {ObjectKind::global_configuration,
                            "",
                            {{"qmaster_params", "ENABLE_RESCHEDULE_KILL"}}},
                           {}}});
  auto again = job("again");
  again.rerun = Rerun::yes;
  running(job("once")), running(again);
  EXPECT_EQ(modify(alice, JobAction::reschedule, "1"),
            "The job 1 is not restartable, and is ended\n");
  EXPECT_EQ(modify(alice, JobAction::reschedule, "2"), "Pushed rescheduling of job 2 on host h1\n");
  EXPECT_EQ(find(1)->tasks.front().after_end, AfterEnd::gone);
  EXPECT_EQ(find(2)->tasks.front().after_end, AfterEnd::again);
  EXPECT_EQ(modify(alice, JobAction::reschedule, "1"), "alice - job 1 is being deleted\n");
}

TEST_F(GivenJobsThatRun, WhenTheJobsOfAQueueAreRescheduledThenThoseThatMayAreAndItsOwnerMayNot) {
  hosts(2, 1);
  auto request = job("again");
  request.rerun = Rerun::yes;
  running(request), running(job("once"));
  const auto all = ModifyQueues{QueueAction::reschedule, {"all.q"}};
  EXPECT_EQ(text(command(alice, all)),
            "alice - you have no permission to reschedule jobs of queue instance \"all.q@h1\"\n"
            "alice - you have no permission to reschedule jobs of queue instance \"all.q@h2\"\n");
  EXPECT_EQ(text(command(root, all)), "Pushed rescheduling of job 1 on host h1\n"
                                      "The job 2 is not restartable\n");
  command(alice, DeleteJobs{{"2"}, {}, {}, false});
  EXPECT_EQ(modify(root, JobAction::reschedule, "2", true), "root - job 2 is being deleted\n");
}

// C4.21
TEST_F(GivenJobsThatRun, WhenATaskIsMeantByItsQueueAndByItsJobThenItIsSaidOnce) {
  hosts(2, 2);
  auto request = array(3);
  request.rerun = Rerun::yes;
  running(request), running(job("once"));
  const auto reschedule = [&](std::vector<std::string> targets) {
    return text(command(root, ModifyJobs{JobAction::reschedule, std::move(targets), false, true}));
  };
  const auto host = find(1)->find(1)->grants.front().instance.host;
  const auto said = reschedule({"all.q@" + host, "1.1", "1.1"});
  EXPECT_EQ(said.find("job-array"), said.rfind("job-array")) << said;
  EXPECT_TRUE(find(1)->find(1)->deleting) << said;
  const auto all = reschedule({"all.q", "2"});
  const std::string refused = "The job 2 is not restartable\n";
  EXPECT_NE(all.find(refused), std::string::npos) << all;
  EXPECT_EQ(all.find(refused), all.rfind(refused)) << all;
}

// O1.31, C4.26
TEST_F(GivenJobsThatRun, WhenAQueueHasAnOwnerThenThatUserOpensAndClosesIt) {
  hosts(2, 1);
  queue("all.q", {{"owner_list", "NONE,[h1=alice]"}});
  const auto said = [&](QueueAction action, const std::string& target) {
    return text(command(alice, ModifyQueues{action, {target}}));
  };
  EXPECT_EQ(said(QueueAction::disable, "all.q@h1"),
            "alice@master changed state of \"all.q@h1\" (disabled)\n");
  EXPECT_EQ(said(QueueAction::disable, "all.q@h1"),
            "Queue instance \"all.q@h1\" is already in the specified state: disabled\n");
  EXPECT_EQ(said(QueueAction::enable, "all.q"),
            "alice@master changed state of \"all.q@h1\" (enabled)\n"
            "alice - you have no permission to modify queue \"all.q@h2\"\n");
  EXPECT_EQ(said(QueueAction::suspend, "all.q@h1"),
            "alice@master changed state of \"all.q@h1\" (suspended)\n");
  EXPECT_EQ(said(QueueAction::clear_error, "all.q@h1"),
            "alice - you have no permission to modify queue \"all.q@h1\"\n");
  EXPECT_EQ(text(command(bob, ModifyQueues{QueueAction::unsuspend, {"all.q@h1"}})),
            "bob - you have no permission to modify queue \"all.q@h1\"\n");
}

// C2.18
TEST_F(GivenJobsThatRun, WhenHostsOfGroupsAreNamedByAPatternThenTheirInstancesAreMeant) {
  hosts(3, 1);
  const auto group = [&](const std::string& name, const std::string& members) {
    const auto answer = command(
        root,
        Configure{{ChangeVerb::add, {ObjectKind::host_group, name, {{"hostlist", members}}}, {}}});
    ASSERT_EQ(answer.exit_code, 0) << text(answer);
  };
  group("@fast1", "h1"), group("@fast2", "h2 @fast1"), group("@slow", "h3");
  const auto said = [&](const std::string& target) {
    return text(command(root, ModifyQueues{QueueAction::disable, {target}}));
  };
  EXPECT_EQ(said("all.q@@fast*"), "root@master changed state of \"all.q@h1\" (disabled)\n"
                                  "root@master changed state of \"all.q@h2\" (disabled)\n");
  EXPECT_EQ(said("*@@no*"), "invalid queue \"*@@no*\"\n");
  auto request = job("on");
  request.queues = {"all.q@@sl?w"};
  EXPECT_EQ(placed(request), "all.q@h3:1");
}
