// Numbers of processes of qrsh -inherit.
#include "actors/agent/call_numbers.hpp"

#include "core/job/process_end.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr std::int64_t ann = 1001, bob = 1002;
const Attempt of_first_job{1, 0, 1}, of_second_job{2, 0, 1};

} // namespace

TEST(GivenNumbersOfProcesses, WhenAnAgentIsStartedAgainThenTheyGoOnFromItsClock) {
  CallNumbers calls;
  calls.begin_after(5000);
  EXPECT_EQ(calls.add_of_user(of_first_job, ann, "a"), 5001);
  EXPECT_EQ(calls.add_of_guest(of_first_job, 9, 1), 5002);
}

TEST(GivenNumbersOfProcesses, WhenWhoAskedNamesOneThenNobodyElsesIsFound) {
  CallNumbers calls;
  const auto of_ann = calls.add_of_user(of_first_job, ann, "same id");
  const auto of_bob = calls.add_of_user(of_second_job, bob, "same id");
  const auto of_guest = calls.add_of_guest(of_second_job, 9, of_ann);
  EXPECT_EQ(calls.find_of_user(ann, "same id"), of_ann);
  EXPECT_EQ(calls.find_of_user(bob, "same id"), of_bob);
  EXPECT_EQ(calls.find_of_user(ann, "other id"), std::nullopt);
  EXPECT_EQ(calls.find_of_guest(9, of_ann), of_guest);
  EXPECT_EQ(calls.find_of_guest(8, of_ann), std::nullopt) << "of another session";
  EXPECT_EQ(calls.attempt_of(of_guest), of_second_job);
}

TEST(GivenNumbersOfProcesses, WhenOneOrATaskIsForgottenThenTheOthersStay) {
  CallNumbers calls;
  const auto one = calls.add_of_user(of_first_job, ann, "a");
  calls.add_of_guest(of_first_job, 9, 1);
  const auto third = calls.add_of_guest(of_second_job, 9, 2);
  calls.forget(one);
  EXPECT_EQ(calls.find_of_user(ann, "a"), std::nullopt);
  EXPECT_EQ(calls.attempt_of(one), std::nullopt);
  EXPECT_EQ(calls.size(), 2u);
  calls.forget(of_first_job);
  EXPECT_EQ(calls.find_of_guest(9, 1), std::nullopt);
  EXPECT_EQ(calls.find_of_guest(9, 2), third);
  EXPECT_EQ(calls.size(), 1u);
}

TEST(GivenNumbersOfProcesses, WhenSomeHaveEndedThenTheEndOfTheirTaskSaysWhatTheyUsed) {
  CallNumbers calls;
  ExitRecord record;
  record.user_microseconds = 100, record.io_bytes = 7, record.maxvmem_bytes = 50;
  calls.end(calls.add_of_user(of_first_job, ann, "a"), record);
  calls.end(calls.add_of_guest(of_first_job, 9, 1), record);
  EXPECT_EQ(calls.size(), 0u);
  session::TaskReport end{of_first_job, session::TaskPhase::ended, true, false, "", {}, record};
  EXPECT_EQ(calls.with_usage(end).record.user_microseconds, 300);
  EXPECT_EQ(calls.with_usage(end).record.io_bytes, 21);
  EXPECT_EQ(calls.with_usage(end).record.maxvmem_bytes, 50) << "one after the other, perhaps";
  end.phase = session::TaskPhase::running;
  EXPECT_EQ(calls.with_usage(end).record.user_microseconds, 100) << "it is not over";
  end.phase = session::TaskPhase::ended, end.attempt = of_second_job;
  EXPECT_EQ(calls.with_usage(end).record.user_microseconds, 100) << "they were not its own";
  end.attempt = of_first_job;
  calls.forget(of_first_job);
  EXPECT_EQ(calls.with_usage(end).record.user_microseconds, 100);
  calls.end(77, record); // nobody's
  EXPECT_EQ(calls.size(), 0u);
}

TEST(GivenNumbersOfProcesses, WhenThoseOfQrshHaveEndedThenTheEndOfTheirTaskTellsOfEach) {
  CallNumbers calls;
  ExitRecord record;
  record.user_microseconds = 100;
  session::TaskReport end{of_first_job, session::TaskPhase::ended, true, false, "", {}, record};
  calls.end(calls.add_of_user(of_first_job, ann, "client"), record);
  EXPECT_TRUE(calls.with_usage(end).processes.empty()) << "the job's own client is no process";
  calls.end(calls.add_of_user(of_first_job, ann, "a", "n2.site"), record);
  calls.end(calls.add_of_user(of_first_job, ann, "b", "n1"), record);
  calls.end(calls.add_of_user(of_first_job, ann, "c", "n2.site"), record);
  calls.end(calls.add_of_user(of_first_job, ann, "d", "n2.site"), not_started("no such host"));
  const auto told = calls.with_usage(end);
  ASSERT_EQ(told.processes.size(), 4u);
  EXPECT_TRUE(told.processes[0].is_own());
  EXPECT_EQ(told.processes[0].record.user_microseconds, 200) << "with its client's";
  EXPECT_EQ(told.processes[1].pe_task(), "1.n2");
  EXPECT_EQ(told.processes[2].pe_task(), "1.n1");
  EXPECT_EQ(told.processes[3].pe_task(), "2.n2");
  EXPECT_EQ(told.record.user_microseconds, 500);
}

TEST(GivenNumbersOfProcesses, WhenOneOfQrshHasNotEndedThenItIsCountedAndNoClientIs) {
  CallNumbers calls;
  calls.add_of_user(of_first_job, ann, "client");
  calls.add_of_guest(of_first_job, 9, 1);
  EXPECT_EQ(calls.running_of(of_first_job), 0u);
  const auto one = calls.add_of_user(of_first_job, ann, "a", "n1");
  calls.add_of_user(of_first_job, ann, "b", "n2");
  EXPECT_EQ(calls.running_of(of_first_job), 2u);
  EXPECT_EQ(calls.running_of(of_second_job), 0u);
  calls.end(one, {});
  EXPECT_EQ(calls.running_of(of_first_job), 1u);
}

TEST(GivenNumbersOfProcesses, WhenThereWereTooManyToTellOfThenTheRestIsTheTasksOwn) {
  CallNumbers calls;
  ExitRecord record;
  record.user_microseconds = 1;
  for (std::size_t i = 0; i < most_processes_told + 10; ++i)
    calls.end(calls.add_of_user(of_first_job, ann, std::to_string(i), "n1"), record);
  const auto told = calls.with_usage(
      {of_first_job, session::TaskPhase::ended, true, false, "", {}, ExitRecord()});
  EXPECT_EQ(told.processes.size(), most_processes_told);
  EXPECT_EQ(told.processes.front().record.user_microseconds, 11);
  EXPECT_EQ(told.record.user_microseconds, 210);
}
