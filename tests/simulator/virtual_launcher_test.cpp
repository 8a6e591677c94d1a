// A simulated job that gives way to a reservation ends as a real one does (spec/plus.md P5.11).
#include "tools/simulator/world/virtual_ports.hpp"

#include <gtest/gtest.h>

#include <string>

namespace almanac {
namespace {

// Of a job with this line in its script: its exit status, and when it has ended.
std::string end_of(const std::string& line, const session::Notice& notice) {
  VirtualClock clock;
  VirtualLauncher launcher(clock, "n1");
  ExitRecord record;
  VirtualLauncher::Events events;
  events.report = [&](const session::TaskReport& report) { record = report.record; };
  launcher.adopt(events);
  session::Launch order;
  order.parts.emplace_back().host = "n1";
  order.job.tasks.emplace_back();
  order.script.content = "# sim: runs 800 exits 0\n" + line + "\n";
  order.notice = notice;
  launcher.launch(order);
  const auto asked = clock.milliseconds;
  launcher.control(order.attempt, session::TaskAction::preempt);
  while (!launcher.has_ended(order.attempt)) {
    clock.milliseconds = launcher.next_end();
    launcher.advance();
  }
  EXPECT_EQ(record.failed, failed::killed);
  return std::to_string(record.exit_status) + " after " +
         std::to_string((clock.milliseconds - asked) / 1000) + " s";
}

TEST(GivenASimulatedJob, WhenItGivesWayThenSigtermEndsItAtOnce) {
  EXPECT_EQ(end_of("", {{}, "", "", 5}), "143 after 0 s");
}

TEST(GivenASimulatedJob, WhenItIgnoresSigtermThenItIsKilledWhenTheTimeIsOver) {
  EXPECT_EQ(end_of("# sim: ignores SIGTERM", {{}, "", "", 5}), "137 after 5 s");
}

TEST(GivenASimulatedJob, WhenItAskedForANoticeThenThatComesFirst) {
  EXPECT_EQ(end_of("", {{60}, "USR2", "", 60}), "143 after 60 s");
  EXPECT_EQ(end_of("# sim: ignores SIGTERM", {{60}, "USR2", "", 60}), "137 after 120 s");
}

TEST(GivenASimulatedJob, WhenItsShepherdMayNotKnowHowToAskThenItIsKilled) {
  EXPECT_EQ(end_of("", {{}, "", "", 0}), "137 after 0 s");
}

} // namespace
} // namespace almanac
