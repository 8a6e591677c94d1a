// Ends of tasks whose processes of qrsh -inherit still run.
#include "actors/agent/task_ends.hpp"
#include "tests/actors/actor_fixture.hpp"
#include "tests/actors/hand_launcher.hpp"

using namespace almanac;

namespace {

class GivenATaskWithTwoProcesses : public ActorFixture {
public:
  HandLauncher launcher;
  MasterSession master{launcher};
  CallNumbers calls;
  TaskEnds ends{launcher, master, calls};
  Partner session = partner();
  Attempt attempt{3, 0, 1};
  std::int64_t here = calls.add_of_user(attempt, 1001, "a", "h1");
  std::int64_t there = calls.add_of_user(attempt, 1001, "b", "h2");

  GivenATaskWithTwoProcesses() {
    master.begin(session.as<SessionActor>());
    master.hear(session::Welcome{7, "store", {}});
    master.hear(session::Registered{});
    master.tasks().begin(attempt);
  }
  session::TaskReport report(session::TaskPhase phase) const {
    return {attempt, phase, true, false, "store", 7, used(10)};
  }
  static ExitRecord used(std::int64_t microseconds) {
    ExitRecord record;
    record.user_microseconds = microseconds;
    return record;
  }
  void end(std::int64_t call, std::int64_t microseconds) {
    calls.end(call, used(microseconds));
    ends.process_ended(attempt);
  }
  std::vector<session::TaskReport> told() {
    settle();
    std::vector<session::TaskReport> result;
    for (const auto& say : session.all<Say>())
      if (const auto* one = std::get_if<session::TaskReport>(&say.message)) result.push_back(*one);
    return result;
  }
};

} // namespace

TEST_F(GivenATaskWithTwoProcesses, WhenItEndsBeforeThemThenTheyAreKilledAndItsEndTellsOfBoth) {
  EXPECT_EQ(ends.take(report(session::TaskPhase::running)), 0);
  EXPECT_EQ(told().size(), 1u) << "that it runs is told at once";
  EXPECT_NE(ends.take(report(session::TaskPhase::ended)), 0);
  EXPECT_EQ(launcher.actions, std::vector{session::TaskAction::kill});
  end(there, 100);
  EXPECT_EQ(told().size(), 1u) << "one still runs";
  end(here, 1000);
  ASSERT_EQ(told().size(), 2u);
  const auto end = told().back();
  EXPECT_EQ(end.phase, session::TaskPhase::ended);
  EXPECT_EQ(end.record.user_microseconds, 1110) << "where one record has it all";
  ASSERT_EQ(end.processes.size(), 3u);
  EXPECT_EQ(end.processes[0].record.user_microseconds, 10);
  EXPECT_EQ(end.processes[1].pe_task(), "1.h2");
  EXPECT_EQ(end.processes[2].pe_task(), "1.h1");
}

TEST_F(GivenATaskWithTwoProcesses, WhenTheyHaveEndedBeforeItThenItsEndIsToldAtOnce) {
  end(here, 1), end(there, 1);
  EXPECT_EQ(ends.take(report(session::TaskPhase::ended)), 0);
  EXPECT_TRUE(launcher.actions.empty());
  ASSERT_EQ(told().size(), 1u);
  EXPECT_EQ(told().front().processes.size(), 3u);
}

TEST_F(GivenATaskWithTwoProcesses, WhenAHostIsSilentThenTheEndIsToldWithoutItsProcessOnce) {
  const auto number = ends.take(report(session::TaskPhase::ended));
  end(here, 100);
  ends.give_up(number + 1);
  EXPECT_TRUE(told().empty()) << "another task's";
  ends.give_up(number);
  ASSERT_EQ(told().size(), 1u);
  EXPECT_EQ(told().front().processes.size(), 2u);
  EXPECT_EQ(told().front().record.user_microseconds, 110);
  end(there, 1), ends.give_up(number);
  EXPECT_EQ(told().size(), 1u);
}

// The host is not asked to kill them again and again: each time it says that the task has ended.
TEST_F(GivenATaskWithTwoProcesses, WhenItsEndIsSaidAgainThenItIsHeldOnce) {
  EXPECT_NE(ends.take(report(session::TaskPhase::ended)), 0);
  EXPECT_EQ(ends.take(report(session::TaskPhase::ended)), 0);
  EXPECT_EQ(launcher.actions.size(), 1u);
  end(here, 1), end(there, 1);
  EXPECT_EQ(told().size(), 1u);
}

TEST_F(GivenATaskWithTwoProcesses, WhenTheMasterWantsItNoMoreThenNothingIsTold) {
  const auto number = ends.take(report(session::TaskPhase::ended));
  ends.forget(attempt), master.tasks().forget(attempt);
  end(here, 1), end(there, 1), ends.give_up(number);
  EXPECT_TRUE(told().empty());
}
