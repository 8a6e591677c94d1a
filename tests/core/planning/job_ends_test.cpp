// How tasks end, also on hosts that are not heard, and when they are tried again.
#include "planner_fixture.hpp"

using namespace almanac;

using GivenAPlanner = PlannerFixture;

TEST_F(GivenAPlanner, WhenAJobExitsWith99ItReturnsToTheQueueAndWith100ItGoesIntoError) {
  hosts(1, 1);
  const auto id = submit(alice, job("again"));
  pass();
  start(id);
  end(id, 99);
  EXPECT_TRUE(find(id)->tasks.front().restarted);
  EXPECT_EQ(state_letters(find(id)->tasks.front(), false), "Rq");
  now = now + Duration{15};
  pass();
  EXPECT_EQ(find(id)->tasks.front().attempt, 2);
  start(id);
  end(id, 100);
  EXPECT_EQ(state_letters(find(id)->tasks.front(), false), "Eqw");
  EXPECT_EQ(command(alice, ClearJobErrors{{std::to_string(id)}}).exit_code, 0);
  pass();
  EXPECT_TRUE(is_active(id));
}

TEST_F(GivenAPlanner, WhenAJobExitsWith99ThenItsNextTryWaitsForTheIntervalOfTheScheduler) {
  hosts(1, 1);
  const auto id = submit(alice, job("again"));
  pass();
  start(id);
  end(id, 99);
  const auto other = submit(alice, job("other"));
  pass();
  EXPECT_FALSE(is_active(id));
  EXPECT_TRUE(is_active(other));
  start(other);
  end(other);
  now = now + Duration{14};
  pass();
  EXPECT_FALSE(is_active(id));
  now = now + Duration{1};
  pass();
  EXPECT_TRUE(is_active(id));
}

TEST_F(GivenAPlanner, WhenALaunchFailsThenTheHostIsSetBackAndAfterThreeJobsItIsInError) {
  hosts(2, 1);
  for (int i = 1; i <= 3; ++i) {
    const auto id = submit(root, job("unlucky"));
    pass();
    const auto& grant = find(id)->tasks.front().grants.front().instance;
    ExitRecord record;
    record.failed = failed::before_job, record.reason = "no space in the spool";
    // The first host in order is tried again once it is not set back any more.
    if (grant.host == "h1") tell(LaunchFailed{attempt(id), "h1", false, record});
    EXPECT_EQ(find(id)->tasks.front().state, TaskState::pending);
    command(root, DeleteJobs{{std::to_string(id)}, {}, {}, true});
    now = now + Duration{31};
  }
  EXPECT_TRUE(planner.state().instance({"all.q", "h1"}).error);
  EXPECT_EQ(command(root, ModifyQueues{QueueAction::clear_error, {"all.q@h1"}}).exit_code, 0);
  EXPECT_FALSE(planner.state().instance({"all.q", "h1"}).error);
}

TEST_F(GivenAPlanner, WhenARunningTaskIsOverdueThenItStaysBooked) {
  hosts(1, 1);
  const auto id = submit(root, job("slow", "10"));
  pass();
  start(id);
  now = now + Duration{100};
  tell(TaskOverdue{attempt(id)});
  EXPECT_EQ(planner.state().ledger().used(Container::queue({"all.q", "h1"}), "slots",
                                          {now, now + Duration{1}}),
            1);
  end(id);
  EXPECT_TRUE(
      planner.state().ledger().find(Container::queue({"all.q", "h1"}), "slots")->is_empty());
}

// docs/spec/cli.md C9.39
TEST_F(GivenAPlanner, WhenAHostIsUnknownThenTheMasterEndsWhatIsPastItsLimitIfTheSiteWantsIt) {
  hosts(2, 1);
  const auto limited = submit(root, job("limited", "10")), endless = submit(root, job("endless"));
  pass();
  start(limited), start(endless);
  std::optional<ExitRecord> record;
  const auto overdue_in = [&](std::int64_t seconds) {
    now = now + Duration{seconds};
    for (const auto& effect : handle(TaskOverdue{attempt(limited)}).effects)
      if (const auto* entry = std::get_if<AccountingRecord>(&effect)) record = entry->record;
  };
  tell(HostSilent{"h1", true}), tell(HostSilent{"h2", true});
  overdue_in(200);
  EXPECT_TRUE(is_active(limited)) << "nobody wants it";
  global({{"qmaster_params", "ENABLE_ENFORCE_MASTER_LIMIT=true"}});
  overdue_in(200);
  EXPECT_EQ(find(limited), nullptr);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->failed, failed::run_time_limit);
  EXPECT_EQ(record->exit_status, 137);
  EXPECT_TRUE(is_active(endless)) << "it has no limit";
}

TEST_F(GivenAPlanner, WhenAHostIsHeardThenItsShepherdsKeepTheLimits) {
  hosts(1, 1);
  global({{"qmaster_params", "ENABLE_ENFORCE_MASTER_LIMIT=true"}});
  const auto id = submit(root, job("limited", "10"));
  pass();
  start(id);
  now = now + Duration{200};
  tell(TaskOverdue{attempt(id)});
  EXPECT_TRUE(is_active(id));
  tell(HostSilent{"h1", true});
  now = now + Duration{61};
  tell(TaskOverdue{attempt(id)});
  EXPECT_EQ(find(id), nullptr);
}

TEST_F(GivenAPlanner, WhenTheFenceOfARerunnableTaskHasFiredThenItRunsElsewhere) {
  hosts(2, 1);
  const auto set = command(
      root, Configure{{ChangeVerb::modify,
                       {ObjectKind::global_configuration, "", {{"reschedule_unknown", "60"}}},
                       {}}});
  ASSERT_EQ(set.exit_code, 0) << text(set);
  auto request = job("again");
  request.rerun = Rerun::yes;
  const auto again = submit(alice, request);
  const auto stays = submit(alice, job("stays"));
  pass();
  start(again), start(stays);
  EXPECT_EQ(find(again)->tasks.front().fence, Duration{55});
  EXPECT_EQ(find(stays)->tasks.front().fence, Duration{0});
  const auto fence = [&](std::int64_t number, const char* host) {
    tell(TaskFenced{attempt(number), host});
  };
  fence(again, "h1");
  EXPECT_TRUE(is_active(again)) << "its host is heard";
  tell(HostSilent{"h1", true});
  tell(HostSilent{"h2", true});
  fence(again, "h2");
  EXPECT_TRUE(is_active(again)) << "that is not its host";
  fence(stays, "h2");
  EXPECT_TRUE(is_active(stays)) << "it has no fence";
  fence(again, "h1");
  EXPECT_FALSE(is_active(again));
  EXPECT_EQ(state_letters(find(again)->tasks.front(), false), "Rq");
  register_host("h2");
  end(stays);
  pass();
  EXPECT_EQ(find(again)->tasks.front().grants.front().instance.text(), "all.q@h2");
}

// objects.md O7.31: what may not run again ends there.
TEST_F(GivenAPlanner, WhenTheFenceOfATaskThatMayNotRunAgainHasFiredThenASiteMayHaveItEnded) {
  hosts(2, 1);
  const auto set = command(
      root,
      Configure{{ChangeVerb::modify,
                 {ObjectKind::global_configuration,
                  "",
                  {{"reschedule_unknown", "60"}, {"qmaster_params", "ENABLE_RESCHEDULE_KILL=1"}}},
                 {}}});
  ASSERT_EQ(set.exit_code, 0) << text(set);
  const auto one = submit(alice, job("one")), other = submit(alice, job("other"));
  pass();
  start(one), start(other);
  EXPECT_EQ(find(one)->tasks.front().fence, Duration{55});
  tell(HostSilent{"h1", true});
  tell(TaskFenced{attempt(one), "h1"});
  EXPECT_EQ(find(one), nullptr) << "the master has counted";
  ExitRecord record;
  record.failed = failed::rescheduled, record.reason = "the host was cut off";
  tell(TaskEnded{attempt(other), record});
  EXPECT_EQ(find(other), nullptr) << "its shepherd was quicker";
}

// Chaos seed 7169 of 20 hosts: an agent that was stopped began, much later, what ran elsewhere.
TEST_F(GivenAPlanner, WhenAnOrderCameTooLateForItsFenceThenTheTaskWaitsAgainAndNobodyIsBlamed) {
  hosts(1, 1);
  const auto late = submit(alice, job("late"));
  pass();
  ExitRecord record;
  record.failed = failed::rescheduled, record.reason = "the host was cut off";
  for (int i = 0; i < 5; ++i) {
    tell(LaunchFailed{attempt(late), "h1", false, record});
    EXPECT_FALSE(is_active(late));
    pass();
    EXPECT_TRUE(is_active(late)) << "its host is not avoided";
  }
  EXPECT_EQ(planner.state().instance({"all.q", "h1"}).failures, 0);
}

TEST_F(GivenAPlanner, WhenATaskOfAnArrayExitsWith99ThenItRestsAndTheOthersDoNot) {
  hosts(1, 1);
  auto request = job("array");
  request.tasks = {1, 3, 1};
  const auto id = submit(alice, request);
  pass();
  start(id, 1);
  end(id, 99, 1);
  EXPECT_EQ(find(id)->request->execution_time, Instant{}) << "nobody gave it one";
  pass();
  EXPECT_TRUE(find(id)->find(2)->is_active()) << "the next task does not wait";
  start(id, 2);
  end(id, 0, 2);
  pass();
  start(id, 3);
  end(id, 0, 3);
  pass();
  EXPECT_FALSE(is_active(id));
  now = now + Duration{15};
  pass();
  EXPECT_EQ(find(id)->find(1)->attempt, 2);
  start(id, 1);
  end(id, 0, 1);
  EXPECT_EQ(find(id), nullptr);
}

TEST_F(GivenAPlanner, WhenOnlyARestingTaskIsLeftThenTheReasonSaysForWhatItWaits) {
  hosts(1, 1);
  const auto id = submit(alice, job("again"));
  pass();
  start(id);
  end(id, 99);
  const auto answer = planner.ask(ExplainJob{id, false}, now);
  EXPECT_NE(text(answer).find("exit status 99"), std::string::npos) << text(answer);
}

// V10.2: failed and exit status of a program that is missing are 27 and 0.
TEST_F(GivenAPlanner, WhenAJobDidNotRunToItsEndThenItsExitStatusIsThatOfItsFailure) {
  hosts(1, 10);
  for (const auto& [failed, expected] : {std::pair(failed::no_shell, 0),
                                         {failed::no_directory, 1},
                                         {failed::no_exit_status, 1},
                                         {failed::none, 0}}) {
    const auto id = submit(alice, job("job"));
    pass();
    start(id);
    ExitRecord record;
    record.failed = failed;
    std::optional<std::int64_t> status;
    for (const auto& effect : handle(TaskEnded{attempt(id), record}).effects)
      if (const auto* entry = std::get_if<AccountingRecord>(&effect))
        status = entry->record.exit_status;
    EXPECT_EQ(status, expected) << failed;
  }
}

// C11.4: while agent or master were down the host knew when it ended; a clock that is wrong is not
// believed.
TEST_F(GivenAPlanner, WhenAnEndIsToldLateThenTheRecordHasTheTimeOfItsHost) {
  hosts(1, 10);
  for (const auto& [after, expected] : {std::pair(8, 8), {-1, 30}, {31, 30}}) {
    const auto began = now;
    const auto id = submit(alice, job("job"));
    pass();
    start(id);
    now = began + Duration{30};
    ExitRecord record;
    record.ended = began.seconds + after;
    Instant ended;
    for (const auto& effect : handle(TaskEnded{attempt(id), record}).effects)
      if (const auto* entry = std::get_if<AccountingRecord>(&effect)) ended = entry->ended;
    EXPECT_EQ(ended, began + Duration{expected}) << after;
  }
}
