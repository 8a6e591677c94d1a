// Numbers of processes of qrsh -inherit.
#include "actors/agent/call_numbers.hpp"

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
