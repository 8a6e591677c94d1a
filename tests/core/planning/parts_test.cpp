#include "core/planning/questions/host_tasks.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

// A parallel job on two hosts, running.
class GivenAParallelJob : public PlannerFixture {
public:
  std::int64_t number = 0;
  GivenAParallelJob() {
    hosts(2, 1);
    auto request = job("mpi", "600");
    request.pe = "mpi", request.slots = {{2, 2}};
    number = submit(root, request);
    pass();
    start(number);
  }
  bool is_ending() const { return find(number)->find(0)->deleting; }
};

} // namespace

TEST_F(GivenAParallelJob, WhenOnlyTheLinkBetweenItsHostsIsCutThenItGoesOn) {
  tell(PartSilent{attempt(number), "h2"});
  EXPECT_FALSE(is_ending());
  tell(HostSilent{"h2", false});
  tell(PartSilent{attempt(number), "h2"});
  EXPECT_FALSE(is_ending()) << "suspect is not lost yet";
}

TEST_F(GivenAParallelJob, WhenNobodyReachesAPartThenTheJobIsEndedEverywhere) {
  tell(HostSilent{"h2", true});
  EXPECT_FALSE(is_ending()) << "its first host may still reach it";
  tell(PartSilent{attempt(number), "h2"});
  EXPECT_TRUE(is_ending());
  EXPECT_NE(find(number)->find(0)->reason.find("its part on h2 was lost"), std::string::npos);
  end(number, 137);
  EXPECT_EQ(find(number), nullptr);
}

TEST_F(GivenAParallelJob, WhenAReportIsAboutAnotherAttemptOrHostThenNothingHappens) {
  tell(HostSilent{"h2", true});
  auto older = attempt(number);
  --older.attempt;
  tell(PartSilent{older, "h2"});
  tell(PartSilent{attempt(number), "h1"});
  tell(PartSilent{attempt(number), "h9"});
  EXPECT_FALSE(is_ending());
}

// objects.md O7.31; what is left of it ends by its fence first.
TEST_F(GivenAParallelJob, WhenAPartOfOneThatMayRunAgainIsLostThenASiteMayHaveItRunAgain) {
  end(number);
  command(root, Configure{{ChangeVerb::modify,
                           {ObjectKind::global_configuration,
                            "",
                            {{"reschedule_unknown", "60"},
                             {"qmaster_params", "ENABLE_RESCHEDULE_SLAVE=true"}}},
                           {}}});
  auto request = job("mpi", "600");
  request.pe = "mpi", request.slots = {{2, 2}}, request.rerun = Rerun::yes;
  number = submit(root, request);
  pass();
  start(number);
  tell(HostSilent{"h2", true});
  tell(PartSilent{attempt(number), "h2"});
  EXPECT_TRUE(is_ending());
  ExitRecord killed;
  killed.failed = failed::killed, killed.exit_status = 137;
  tell(TaskEnded{attempt(number), killed});
  ASSERT_NE(find(number), nullptr);
  EXPECT_EQ(state_letters(*find(number)->find(0), false), "Rq");
  EXPECT_TRUE(find(number)->find(0)->rests());
}

TEST_F(GivenAParallelJob, WhenTheQueueOfAPartIsRescheduledThenItIsOnlyIfPartsCount) {
  const auto reschedule = [&] {
    return text(command(root, ModifyQueues{QueueAction::reschedule, {"*@h2"}, true}));
  };
  reschedule();
  EXPECT_FALSE(is_ending());
  command(root, Configure{{ChangeVerb::modify,
                           {ObjectKind::global_configuration,
                            "",
                            {{"qmaster_params", "ENABLE_RESCHEDULE_SLAVE=true"}}},
                           {}}});
  reschedule();
  EXPECT_TRUE(is_ending());
}

// objects.md O7.32
TEST_F(GivenAParallelJob, WhenWhatIsReservedIsAccountedForThenItsRecordHasAllSlotsForAllItsTime) {
  ExitRecord end;
  end.wallclock = 30, end.user_microseconds = 5, end.maxvmem_bytes = 10, end.io_bytes = 3;
  const auto record = [&] {
    for (const auto& effect : handle(TaskEnded{attempt(number), end}).effects)
      if (const auto* found = std::get_if<AccountingRecord>(&effect)) return *found;
    return AccountingRecord{};
  };
  command(root, Configure{{ChangeVerb::modify,
                           {ObjectKind::global_configuration,
                            "",
                            {{"execd_params", "ACCT_RESERVED_USAGE=true"}}},
                           {}}});
  const auto unlimited = record();
  EXPECT_EQ(unlimited.cpu_microseconds, 2 * 30 * 1'000'000);
  EXPECT_EQ(unlimited.record.maxvmem_bytes, 10) << "no memory is reserved";
  EXPECT_EQ(unlimited.record.user_microseconds, 5);
  auto request = job("mpi", "600");
  request.pe = "mpi", request.slots = {{2, 2}};
  request.resources.push_back({"h_vmem", "1G"});
  number = submit(root, request);
  pass();
  start(number);
  const auto limited = record();
  EXPECT_EQ(limited.record.maxvmem_bytes, 2LL << 30);
  EXPECT_EQ(limited.record.memory_kib_seconds, 30LL << 21);
  EXPECT_EQ(limited.record.io_bytes, 3);
}

// objects.md O4.9, cli.md C11.12: one record for each process, or one for all.
TEST_F(GivenAParallelJob, WhenItHadProcessesOfQrshThenTheyHaveRecordsUnlessOneSumsThemUp) {
  ExitRecord own, of_process, all;
  own.user_microseconds = 5, own.maxvmem_bytes = 10;
  of_process.user_microseconds = 2, of_process.maxvmem_bytes = 99, of_process.exit_status = 3;
  all.user_microseconds = 7, all.maxvmem_bytes = 99;
  const auto records = [&] {
    const TaskEnded end{
        attempt(number), all, {{"", 0, own}, {"H2", 1, of_process}, {"elsewhere", 1, of_process}}};
    std::vector<AccountingRecord> found;
    for (const auto& effect : handle(end).effects)
      if (const auto* record = std::get_if<AccountingRecord>(&effect)) found.push_back(*record);
    return found;
  };
  const auto each = records();
  ASSERT_EQ(each.size(), 2u) << "none of a host that the job does not have";
  EXPECT_EQ(each.front().pe_task, "1.h2");
  EXPECT_EQ(each.front().host, "h2");
  EXPECT_EQ(each.front().slots, 2);
  EXPECT_EQ(each.front().record.exit_status, 3);
  EXPECT_EQ(each.front().record.user_microseconds, 2);
  EXPECT_EQ(each.back().pe_task, "");
  EXPECT_EQ(each.back().record.user_microseconds, 5);
  EXPECT_EQ(each.back().record.maxvmem_bytes, 10);
  const ConfigurationObject summed{
      ObjectKind::parallel_environment, "mpi", {{"accounting_summary", "TRUE"}}};
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, summed, {}}}).exit_code, 0);
  auto request = job("mpi", "600");
  request.pe = "mpi", request.slots = {{2, 2}};
  number = submit(root, request);
  pass();
  start(number);
  const auto sum = records();
  ASSERT_EQ(sum.size(), 1u);
  EXPECT_EQ(sum.front().pe_task, "");
  EXPECT_EQ(sum.front().record.user_microseconds, 7);
  EXPECT_EQ(sum.front().record.maxvmem_bytes, 99);
}

// Chaos seed 3199 of 20 hosts: a task that was gone for good was accounted for as rescheduled.
class GivenAParallelJobWithoutAPart : public GivenAParallelJob {
public:
  ExitRecord fenced;
  GivenAParallelJobWithoutAPart() {
    tell(HostSilent{"h2", true});
    tell(PartSilent{attempt(number), "h2"});
    fenced.failed = failed::rescheduled, fenced.exit_status = 137;
    fenced.reason = "the host was cut off from the master";
  }
  void expect_killed_by(const Input& end) {
    const auto decisions = handle(end);
    EXPECT_EQ(find(number), nullptr);
    const AccountingRecord* record = nullptr;
    for (const auto& effect : decisions.effects)
      if (const auto* found = std::get_if<AccountingRecord>(&effect)) record = found;
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->record.failed, failed::killed);
    EXPECT_NE(record->record.reason.find("its part on h2 was lost"), std::string::npos);
  }
};

TEST_F(GivenAParallelJobWithoutAPart, WhenItsFenceFiresFirstThenItIsAccountedAsKilled) {
  expect_killed_by(TaskEnded{attempt(number), fenced});
}

TEST_F(GivenAParallelJobWithoutAPart, WhenItsOrderComesTooLateThenItIsAccountedAsKilled) {
  expect_killed_by(LaunchFailed{attempt(number), "h1", false, fenced});
}

namespace {

ExitRecord record_of(std::int64_t code, std::int64_t exit_status = 0) {
  ExitRecord record;
  record.failed = code, record.exit_status = exit_status, record.reason = "as it says";
  return record;
}

// One that just began on h1, with a part on h2, whose host may say anything; h3 is free.
class GivenAPartWhoseHostLies : public PlannerFixture {
public:
  std::int64_t number = 0;
  void submit_one(Rerun rerun) {
    hosts(3, 1);
    auto request = job("mpi", "600");
    request.pe = "mpi", request.slots = {{2, 2}}, request.rerun = rerun;
    number = submit(alice, request);
    pass();
    ASSERT_EQ(task().grants.front().instance.text(), "all.q@h1");
    ASSERT_EQ(task().grants.back().instance.text(), "all.q@h2");
    start(number);
  }
  const Task& task() const { return *find(number)->find(0); }
  void part_says(const ExitRecord& record, bool user_fault = false) {
    tell(LaunchFailed{attempt(number), "h2", user_fault, record});
    pass();
  }
  void first_host_says(const ExitRecord& record) {
    tell(TaskEnded{attempt(number), record});
    pass();
  }
  // It holds what it held, nothing of it was started again, and it is to end where it runs.
  void expect_ending() const {
    EXPECT_EQ(task().state, TaskState::running);
    EXPECT_EQ(task().attempt, 1);
    EXPECT_TRUE(task().deleting);
  }
};

} // namespace

TEST_F(GivenAPartWhoseHostLies, WhenItSaysThatItsLaunchFailedThenTheTaskEndsFirstAndIsTriedAgain) {
  submit_one(Rerun::no);
  part_says(record_of(failed::before_job));
  expect_ending();
  part_says(record_of(failed::before_job));
  expect_ending();
  first_host_says(record_of(failed::killed, 137));
  EXPECT_EQ(task().state, TaskState::sent);
  EXPECT_EQ(task().attempt, 2);
  EXPECT_FALSE(task().deleting);
  for (const auto& grant : task().grants)
    EXPECT_NE(grant.instance.text(), "all.q@h2") << "it is avoided for a while";
}

TEST_F(GivenAPartWhoseHostLies, WhenItSaysAnythingThenTheTaskNeverRunsTwiceAtATime) {
  for (const auto code : {failed::rescheduled, failed::prolog, failed::pe_start, failed::epilog,
                          failed::no_directory, failed::none})
    for (const std::int64_t status : {0, 99, 100})
      for (const bool began : {false, true}) {
        planner = *Planner::restore(Planner::initial_records("root", "master"));
        submit_one(Rerun::yes);
        auto record = record_of(code, status);
        record.step_status = status;
        const auto fact = fact_of_part({attempt(number), "h2", status == 0, record}, began);
        ASSERT_TRUE(fact);
        planner.handle(*fact, now);
        pass();
        expect_ending();
      }
}

TEST_F(GivenAPartWhoseHostLies, WhenAJobThatMayNotRunAgainHasRunForLongThenItEndsForGood) {
  submit_one(Rerun::no);
  now = now + Duration{61};
  part_says(record_of(failed::rescheduled));
  expect_ending();
  first_host_says(record_of(failed::killed, 137));
  EXPECT_EQ(find(number), nullptr);
}

TEST_F(GivenAPartWhoseHostLies, WhenTheScriptHasEndedMeanwhileThenItsEndCounts) {
  submit_one(Rerun::yes);
  part_says(record_of(failed::before_job));
  end(number, 0);
  EXPECT_EQ(find(number), nullptr) << "it is not run again";
}

TEST_F(GivenAPartWhoseHostLies, WhenTheFaultIsTheUsersThenTheJobWaitsInErrorOnceItHasEnded) {
  submit_one(Rerun::no);
  part_says(record_of(failed::before_job), true);
  expect_ending();
  first_host_says(record_of(failed::killed, 137));
  EXPECT_EQ(task().state, TaskState::error);
  EXPECT_NE(task().reason.find("its part on h2 failed: as it says"), std::string::npos);
}

TEST_F(GivenAPartWhoseHostLies, WhenItsOwnerDeletesItMeanwhileThenItIsGone) {
  submit_one(Rerun::yes);
  part_says(record_of(failed::before_job));
  EXPECT_EQ(command(alice, DeleteJobs{{std::to_string(number)}, {}, {}, false}).exit_code, 0);
  first_host_says(record_of(failed::killed, 137));
  EXPECT_EQ(find(number), nullptr);
}

TEST_F(GivenAPartWhoseHostLies, WhenTheFirstHostLosesItThenItIsTriedAgain) {
  submit_one(Rerun::yes);
  part_says(record_of(failed::before_job));
  tell(TaskLost{attempt(number), "h1"});
  EXPECT_EQ(task().state, TaskState::pending);
  EXPECT_FALSE(task().deleting);
}

TEST_F(GivenAPartWhoseHostLies, WhenAHostThatHasNoPartSpeaksThenNothingHappens) {
  submit_one(Rerun::yes);
  tell(LaunchFailed{attempt(number), "h3", false, record_of(failed::before_job)});
  tell(TaskLost{attempt(number), "h3"});
  EXPECT_FALSE(task().deleting);
  EXPECT_EQ(planner.state().instance({"all.q", "h3"}).failures, 0);
}

TEST_F(GivenAPartWhoseHostLies, WhenItSaysThatItsPartHasEndedThenThatIsNotTheEndOfTheTask) {
  const LaunchFailed end{{1, 0, 1}, "h2", false, record_of(failed::none)};
  const auto lost = fact_of_part(end, true);
  ASSERT_TRUE(lost);
  EXPECT_TRUE(std::holds_alternative<TaskLost>(**lost));
  EXPECT_TRUE(std::holds_alternative<LaunchFailed>(**fact_of_part(end, false)));
  auto cleared = end;
  cleared.record.failed = failed::killed;
  EXPECT_FALSE(fact_of_part(cleared, true)) << "as all parts are at the end";
  EXPECT_TRUE(std::holds_alternative<TaskEnded>(*fact_of_end(end, true)));
  EXPECT_TRUE(std::holds_alternative<LaunchFailed>(*fact_of_end(end, false)));
}
