#include "tests/core/planning/planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenJobsToDelete : public PlannerFixture {
public:
  Answer delete_of(const std::vector<std::string>& ids, const std::vector<TaskRange>& tasks = {}) {
    return command(alice, DeleteJobs{ids, tasks, {}, false});
  }
};

std::vector<Attribute> long_environment() {
  std::vector<Attribute> variables;
  for (const auto* name : {"A", "B", "C", "D", "E", "F", "G", "H", "I"})
    variables.push_back({name, std::string(100'000, 'x')});
  return variables;
}

} // namespace

// While one request is looked through nobody else is served.
TEST_F(GivenJobsToDelete, WhenManyTasksAreNamedOneByOneThenThereIsALimit) {
  std::vector<std::string> ids;
  for (int i = 0; i < 15; ++i) ids.push_back(std::to_string(submit(alice, array(75'000))));
  const auto refused = delete_of({ids.front()}, {{1, 74'999, 2}});
  EXPECT_EQ(text(refused), "denied: job " + ids.front() +
                               ": what is left of its tasks would be more than 1000 ranges\n");
  EXPECT_EQ(refused.exit_code, 1);
  const std::string too_many = "denied: more than 1000000 single tasks are named in one request: "
                               "job 1 and those after it are as they were\n";
  EXPECT_EQ(text(delete_of({ids.front()}, std::vector<TaskRange>(1'000, {1, 74'999, 2}))),
            too_many);
  const auto deleted = delete_of(ids, {{101, 75'000, 1}});
  EXPECT_EQ(deleted.statements.size(), 14u);
  EXPECT_EQ(find(1)->fresh, (std::vector<TaskRange>{{1, 100, 1}}));
  EXPECT_EQ(find(14)->fresh, (std::vector<TaskRange>{{1, 75'000, 1}}));
  EXPECT_EQ(delete_of(ids).exit_code, 0) << "whole, they are cheap";
  EXPECT_TRUE(planner.state().jobs().empty());
}

TEST_F(GivenJobsToDelete, WhenWhatIsLeftOfManyArraysIsLookedThroughThenItIsCountedBefore) {
  std::vector<TaskRange> ranges;
  for (int i = 0; i < 900; ++i) ranges.push_back({2 + 2 * i, 2 + 2 * i, 1});
  for (int i = 0; i < 20; ++i) submit(alice, array(2'000));
  EXPECT_EQ(command(alice, DeleteJobs{{}, ranges, {"alice"}, false}).exit_code, 0);
  EXPECT_EQ(find(20)->fresh.size(), 901u);
  const auto answer = command(alice, DeleteJobs{{}, ranges, {"alice"}, false});
  ASSERT_EQ(answer.statements.size(), 1u) << "the first one is too much already, and ends it";
  EXPECT_NE(gridengine::text_of(answer.statements.back()).find("job 1 and those after it"),
            std::string::npos);
}

// spec/cli.md C2.20, spec/client-contract.md C12: a name may look like a task of a job.
TEST_F(GivenJobsToDelete, WhenANameLooksLikeATaskThenItIsMeantWhereNoJobHasThatTask) {
  submit(alice, array(3));
  for (const auto* name : {"1.5", "1.2", "1", "9.x"}) submit(alice, job(name));
  EXPECT_EQ(delete_of({"1.5"}).exit_code, 0);
  EXPECT_EQ(find(2), nullptr);
  EXPECT_EQ(delete_of({"1.2"}).exit_code, 0);
  for (const auto& range : find(1)->fresh)
    EXPECT_FALSE(range.contains(2)) << "a task that is there";
  EXPECT_NE(find(3), nullptr);
  EXPECT_EQ(delete_of({"9.x"}).exit_code, 0);
  EXPECT_EQ(find(5), nullptr);
  EXPECT_EQ(delete_of({"1.7"}).exit_code, 1) << "nor is it task 7 of the job that is called 1";
  EXPECT_NE(find(4), nullptr);
  EXPECT_EQ(text(delete_of({"9.1"})), "denied: job \"9.1\" does not exist\n");
}

// ENABLE_FORCED_QDEL_IF_UNKNOWN of sge_conf(5)
TEST_F(GivenJobsToDelete, WhenTheHostOfOneIsUnknownThenASiteMayHaveItForced) {
  hosts(2, 1);
  command(root, Configure{{ChangeVerb::modify,
                           {ObjectKind::global_configuration,
                            "",
                            {{"qmaster_params", "ENABLE_FORCED_QDEL_IF_UNKNOWN=true"}}},
                           {}}});
  const auto away = submit(alice, job("away")), here = submit(alice, job("here"));
  pass();
  start(away), start(here);
  tell(HostSilent{"h1", true});
  EXPECT_EQ(text(delete_of({std::to_string(away), std::to_string(here)})),
            "alice has registered the job 1 for deletion\n"
            "warning: alice forced the deletion of job 1\n"
            "alice has registered the job 2 for deletion\n");
  EXPECT_EQ(find(away), nullptr);
  EXPECT_TRUE(find(here)->tasks.front().deleting);
}

// Its host says `killed` of what it has ended; what was over before has only its last steps to run.
TEST_F(GivenJobsToDelete, WhenOneWasOverByItselfThenItsRecordIsThatOfItsOwnEnd) {
  hosts(1, 1);
  for (const auto& [failed, status] :
       {std::pair(failed::none, 0), {failed::none, 3}, {failed::none, 99}, {failed::killed, 137}}) {
    const auto id = submit(alice, job("over"));
    pass();
    start(id);
    EXPECT_EQ(text(delete_of({std::to_string(id)})),
              "alice has registered the job " + std::to_string(id) + " for deletion\n");
    ExitRecord end;
    end.failed = failed, end.exit_status = status;
    std::string told;
    for (const auto& effect : handle(TaskEnded{attempt(id), end}).effects)
      if (const auto* entry = std::get_if<AccountingRecord>(&effect))
        told =
            std::to_string(entry->record.failed) + " " + std::to_string(entry->record.exit_status);
    EXPECT_EQ(told, std::to_string(failed) + " " + std::to_string(status));
    EXPECT_EQ(find(id), nullptr) << "it does not run again";
  }
}

TEST_F(GivenJobsToDelete, WhenArraysHaveBegunThenTheWholeOfEachIsStillCheap) {
  hosts(1, 20);
  auto request = array(75'000);
  request.most_running = 1;
  for (int i = 0; i < 20; ++i) submit(alice, request);
  while (handle(Pass{}).pass_wanted) {
  }
  const auto answer = command(alice, DeleteJobs{{}, {}, {"alice"}, false});
  EXPECT_EQ(answer.exit_code, 0);
  ASSERT_EQ(answer.statements.size(), 40u);
  EXPECT_EQ(gridengine::text_of(answer.statements[0]),
            "alice has deleted job-array tasks 2-75000:1 of job 1");
  EXPECT_EQ(gridengine::text_of(answer.statements[1]),
            "alice has registered the job-array task 1.1 for deletion");
  EXPECT_TRUE(find(20)->fresh.empty());
}

TEST_F(GivenJobsToDelete, WhenTheirRecordsAreLongThenOneRequestDeletesTasksOfSomeOfThem) {
  auto request = array(10);
  request.environment = long_environment();
  for (int i = 0; i < 60; ++i) submit(alice, request);
  const auto refused = command(alice, DeleteJobs{{}, {{2, 2, 1}}, {"alice"}, false});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(gridengine::text_of(refused.statements.back()),
            "denied: one request changes at most 32 MB of jobs: job 38 and those after it are as "
            "they were; name fewer at a time");
  EXPECT_EQ(find(37)->fresh.size(), 2u);
  EXPECT_EQ(find(38)->fresh.size(), 1u);
  EXPECT_EQ(command(alice, DeleteJobs{{}, {}, {"alice"}, false}).exit_code, 0);
  EXPECT_TRUE(planner.state().jobs().empty()) << "of what goes nothing is written";
}

TEST_F(GivenJobsToDelete, WhenTheyAreDeletedAgainThenNothingIsWritten) {
  hosts(1, 1);
  const auto id = submit(alice, job("running"));
  pass();
  EXPECT_EQ(delete_of({std::to_string(id)}).exit_code, 0);
  const auto again = handle(Command{alice, DeleteJobs{{std::to_string(id)}, {}, {}, false}});
  EXPECT_EQ(text(*again.answer), "alice has registered the job 1 for deletion\n");
  EXPECT_TRUE(again.effects.empty());
}

TEST_F(GivenJobsToDelete, WhenOneWaitsForSeveralThenItIsWrittenOnceTheLastHasGone) {
  auto request = job("last");
  for (int i = 0; i < 3; ++i) submit(alice, job("first"));
  request.predecessors = {"first"};
  const auto last = submit(alice, request);
  EXPECT_EQ(handle(Command{alice, DeleteJobs{{"1", "2"}, {}, {}, false}}).effects.size(), 2u);
  EXPECT_FALSE(find(last)->waits_for.empty());
  EXPECT_EQ(delete_of({"3"}).exit_code, 0);
  EXPECT_TRUE(find(last)->waits_for.empty());
}

// Whoever waits for it is written anew, too, and everybody else waits meanwhile.
TEST_F(GivenJobsToDelete, WhenManyLongJobsWaitForOneThenTheyAreFreedBitByBit) {
  hosts(1, 100);
  auto first = job("first");
  first.held_by_user = true;
  submit(alice, first);
  auto request = job("next");
  request.environment = long_environment();
  request.predecessors = {"first"};
  for (int i = 0; i < 60; ++i) submit(alice, request);
  while (handle(Pass{}).pass_wanted) {
  }
  EXPECT_TRUE(handle(Command{alice, DeleteJobs{{"1"}, {}, {}, false}}).pass_wanted);
  EXPECT_TRUE(find(38)->waits_for.empty());
  EXPECT_FALSE(find(39)->waits_for.empty());
  EXPECT_FALSE(is_active(61));
  auto copy = Planner::restore(planner.state().records().copy());
  ASSERT_TRUE(copy.ok());
  EXPECT_TRUE(copy->handle(std::get<ValidInput>(validated_input(Pass{})), now).pass_wanted)
      << "who comes after a crash goes on with it";
  while (handle(Pass{}).pass_wanted) {
  }
  EXPECT_TRUE(is_active(61));
}

TEST_F(GivenJobsToDelete, WhenAnArrayIsForcedThenItsTasksGoThoseThatRunAndThoseThatWait) {
  hosts(1, 1);
  const auto id = submit(alice, array(5));
  pass();
  start(id, 1);
  EXPECT_EQ(text(command(root, DeleteJobs{{"1"}, {}, {}, true})),
            "root has deleted job-array tasks 2-5:1 of job 1\n"
            "root has registered the job-array task 1.1 for deletion\n"
            "warning: root forced the deletion of job 1\n");
  EXPECT_EQ(find(id), nullptr);
}

TEST_F(GivenJobsToDelete, WhenAReservationOfManyGoesThenTheyGoAtOnce) {
  hosts(1, 1);
  auto request = job("inside");
  request.reservation = {reserve(root, window(now.seconds + 100, 100))};
  request.environment = long_environment();
  for (int i = 0; i < 60; ++i) submit(root, request);
  const auto gone = handle(Command{root, DeleteReservations{{"1"}, {}, false}});
  EXPECT_EQ(text(*gone.answer), "root has deleted advance_reservation 1\n");
  EXPECT_TRUE(planner.state().jobs().empty());
  EXPECT_TRUE(planner.state().reservations().empty());
}

TEST_F(GivenJobsToDelete, WhenOneIsNamedManyTimesThenItIsWrittenOnce) {
  auto request = array(100);
  request.environment = long_environment();
  const auto id = std::to_string(submit(alice, request));
  std::vector<std::string> tasks;
  for (int i = 1; i <= 50; ++i) tasks.push_back(id + "." + std::to_string(i));
  EXPECT_EQ(delete_of(tasks).statements.size(), 50u);
  EXPECT_EQ(find(1)->fresh, (std::vector<TaskRange>{{51, 100, 1}}));
}

TEST_F(GivenJobsToDelete, WhenPassesAreOffThenThoseThatWaitedAreStillFreed) {
  auto request = job("next");
  request.environment = long_environment();
  request.predecessors = {"first"};
  submit(alice, job("first"));
  for (int i = 0; i < 60; ++i) submit(alice, request);
  tell(Restarted{1, planner.digest(), true, {}, "master"});
  delete_of({"1"});
  EXPECT_FALSE(find(61)->waits_for.empty());
  while (handle(Pass{}).pass_wanted) {
  }
  EXPECT_TRUE(find(61)->waits_for.empty());
}
