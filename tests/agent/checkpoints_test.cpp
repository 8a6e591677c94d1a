// How a shepherd has a job checkpointed and moved: objects.md O6.16 to O6.20.
#include "shepherd_fixture.hpp"

#include <utility>

using namespace almanac;

namespace {

// A command of the checkpointing environment.
ShepherdProcess command(const std::string& script) {
  ShepherdProcess made;
  made.as = user();
  made.arguments = {"/bin/sh", "-c", script, "sh", "$job_pid"};
  made.directory = "/";
  return made;
}

// A job that notes signals with its exit status.
constexpr const char* patient = "trap 'exit 5' USR1\ntrap 'n=7' USR2\nn=0\n"
                                "while [ $n = 0 ]; do sleep 0.05; done\nexit $n";

std::string said(const ChildWatch& watch, const ChildEnd& end) {
  return text_of(end) + (watch.saved_pid() > 0 ? ", saved" : "") +
         (watch.is_moving() ? ", moving" : "");
}

CheckpointSteps steps() {
  CheckpointSteps made;
  made.is_asked_for = made.at_move = true;
  made.patience = 60, made.longest = 60;
  return made;
}

void prepare(Place& place, CheckpointSteps checkpoint) {
  place.order.job.as = user();
  place.order.checkpoint = std::move(checkpoint);
}

} // namespace

TEST(GivenAJobToCheckpoint, WhenTheIntervalHasPassedThenItsCommandRunsBesideIt) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              prepare(place, steps());
              place.order.checkpoint.checkpoint = command("kill -USR2 $1");
              place.order.checkpoint.interval = 1;
              BegunWatch watch(place);
              const auto text = said(watch, watch.run(Child::job, shell_of_user(patient)));
              return text + (place.heard().find("saved ") != std::string::npos ? ", told" : "");
            }),
            "status 7, saved, told");
}

TEST(GivenAJobToCheckpoint, WhenItsCommandFailsOrHangsThenTheJobGoesOn) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              prepare(place, steps());
              place.order.checkpoint.checkpoint = command("exit 3");
              place.order.checkpoint.interval = 1;
              BegunWatch watch(place);
              return said(watch, watch.run(Child::job, shell("sleep 2; exit 4")));
            }),
            "status 4");
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              prepare(place, steps());
              place.order.checkpoint.checkpoint = command("sleep 100");
              place.order.checkpoint.interval = place.order.checkpoint.longest = 1;
              BegunWatch watch(place);
              return said(watch, watch.run(Child::job, shell("sleep 3; exit 4")));
            }),
            "status 4")
      << "it is killed after its time";
}

TEST(GivenAJobToCheckpoint, WhenItStandsAndMovesThenItGoesOnFirst) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              prepare(place, steps());
              place.order.checkpoint.checkpoint = command("exit 3");
              place.order.checkpoint.migration = command("kill -KILL $1; sleep 0.5");
              BegunWatch watch(place);
              place.command("s"); // what stands goes on first
              place.command("m");
              const auto end = watch.run(Child::job, shell_of_user("exec sleep 100"));
              return text_of(end) + (watch.is_moving() ? ", moving" : "");
            }),
            "signal 137, moving")
      << "saved or, where the order came before it had begun, not";
}

TEST(GivenAJobToCheckpoint, WhenItMovesWhileItRunsThenItIsSavedAndEnded) {
  const auto moved = [](CheckpointSteps checkpoint) {
    return in_a_shepherd([checkpoint](Place& place) {
      prepare(place, checkpoint);
      BegunWatch watch(place);
      const auto orders = ::fork();
      if (orders == 0) {
        ::usleep(500'000);
        place.command("m");
        ::_exit(0);
      }
      return said(watch, watch.run(Child::job, shell_of_user(patient)));
    });
  };
  auto by_migration = steps();
  by_migration.migration = command("kill -USR1 $1; sleep 0.5");
  by_migration.checkpoint = command("exit 3");
  EXPECT_EQ(moved(by_migration), "status 5, saved, moving") << "migr_command comes first";
  auto by_checkpoint = steps();
  by_checkpoint.checkpoint = command("exit 0");
  EXPECT_EQ(moved(by_checkpoint), "signal 137, saved, moving") << "then it is ended";
  auto failing = steps();
  failing.migration = command("exit 3");
  EXPECT_EQ(moved(failing), "signal 137, moving") << "it moves, and nothing was saved";
  auto by_signal = steps();
  by_signal.signal = SIGUSR1;
  EXPECT_EQ(moved(by_signal), "status 5, saved, moving");
  by_signal.patience = 1, by_signal.signal = SIGURG;
  EXPECT_EQ(moved(by_signal), "signal 137, saved, moving") << "it did not end in time";
  auto not_saved = by_migration;
  not_saved.at_move = false;
  EXPECT_EQ(moved(not_saved), "signal 137, moving") << "not at this occasion";
}

TEST(GivenAJobToCheckpoint, WhenTheAgentStopsThenItIsSavedWhereThatIsAnOccasion) {
  const auto stopped = [](bool at_shutdown) {
    return in_a_shepherd([at_shutdown](Place& place) {
      prepare(place, steps());
      place.order.checkpoint.at_shutdown = at_shutdown;
      place.order.checkpoint.signal = SIGUSR1;
      BegunWatch watch(place);
      if (::fork() == 0) {
        ::usleep(500'000);
        place.command("p");
        ::usleep(500'000);
        place.command("K");
        ::_exit(0);
      }
      return said(watch, watch.run(Child::job, shell_of_user(patient)));
    });
  };
  EXPECT_EQ(stopped(true), "status 5, saved");
  EXPECT_EQ(stopped(false), "signal 137");
}

TEST(GivenAStepWithALimit, WhenItTakesLongerThenItIsKilled) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              BegunWatch watch(place);
              return text_of(watch.run(Child::step, shell("sleep 100"), 1));
            }),
            "signal 137");
}
