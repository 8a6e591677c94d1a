// Interactive jobs on a host: pipes and pseudo terminals, the end of a client, what is not read.
#include "tests/agent/launcher_fixture.hpp"

using namespace almanac;
using session::TaskAction;
using session::TaskPhase;

namespace {

class GivenAnInteractiveOrder : public LauncherFixture {
protected:
  // Until its client may come.
  void wait_for_client(const std::string& line, Interaction kind) {
    auto& request = launch.job.request.edit();
    request.interaction = kind, request.binary = true, request.command = line;
    request.output.clear(), request.join = false;
    script("");
    launcher->launch(order());
    ASSERT_TRUE(is_reported(TaskPhase::spooled));
  }
  void attach(std::int64_t call, bool input = false, TerminalSize size = {0, 0}) {
    InheritedStart start;
    start.call = call, start.attaches = true, start.input = input, start.terminal = size;
    launcher->start_inherited(launch.attempt, start);
  }
  void begin(const std::string& line, Interaction kind, bool input = false,
             TerminalSize size = {0, 0}) {
    wait_for_client(line, kind);
    attach(1, input, size);
  }
  bool has_written(const std::string& text) const {
    return eventually([&] {
      const auto all = told();
      const auto output = all.output.find(1);
      return output != all.output.end() && output->second.find(text) != std::string::npos;
    });
  }
  void goes_from(Interaction kind) {
    const auto file = (place / "hung").string();
    begin("trap 'echo bye; echo hup >" + file +
              "; exit 1' HUP; echo ready; while :; do sleep 0.05; done",
          kind, true);
    ASSERT_TRUE(has_written("ready"));
    launcher->hang_up(launch.attempt, 1);
    EXPECT_EQ(end().record.failed, failed::killed);
    EXPECT_EQ(end().record.reason, "its client has gone");
    EXPECT_EQ(content_at(file), "hup\n");
  }
};

} // namespace

TEST_F(GivenAnInteractiveOrder, WhenItsClientComesThenItRunsWithTheClientsStreamsAndItsExitStatus) {
  wait_for_client("read line; echo got $line; echo sad >&2; exit 7", Interaction::streams);
  EXPECT_TRUE(reports(TaskPhase::running).empty()) << "nobody is there yet";
  attach(1, true);
  launcher->write_input(launch.attempt, 1, "a word\n", true);
  ASSERT_TRUE(has_ended(1));
  EXPECT_EQ(told().output[1], "got a word\n");
  EXPECT_EQ(told().error[1], "sad\n");
  EXPECT_EQ(told().ended[1].exit_status, 7);
  EXPECT_EQ(end().record.exit_status, 7);
  EXPECT_TRUE(end().began);
}

// A prolog that opens its output and goes is not the end of that output.
TEST_F(GivenAnInteractiveOrder, WhenThereIsAPrologThenItHasTheClientsStreamsAllTheSame) {
  launch.prolog = "/bin/sleep 0.2";
  begin("cat; echo sad >&2; exit 7", Interaction::streams, true);
  launcher->write_input(launch.attempt, 1, "a word\n", true);
  ASSERT_TRUE(has_ended(1));
  EXPECT_EQ(told().output[1], "a word\n");
  EXPECT_EQ(told().error[1], "sad\n");
  EXPECT_EQ(told().ended[1].exit_status, 7);
}

TEST_F(GivenAnInteractiveOrder, WhenItReadsNothingThenItsInputIsEmpty) {
  begin("cat; echo done", Interaction::streams);
  ASSERT_TRUE(has_ended(1));
  EXPECT_EQ(told().output[1], "done\n");
}

TEST_F(GivenAnInteractiveOrder, WhenItHasATerminalThenItHasTheClientsSizeAndChangesOfIt) {
  begin("stty size; trap 'stty size; exit 5' WINCH; echo ready; while :; do sleep 0.05; done",
        Interaction::terminal, true, {31, 99});
  ASSERT_TRUE(has_written("ready"));
  EXPECT_EQ(told().output[1].substr(0, 7), "31 99\r\n");
  launcher->resize(launch.attempt, 1, {40, 120});
  ASSERT_TRUE(has_ended(1));
  EXPECT_NE(told().output[1].find("40 120"), std::string::npos) << told().output[1];
  EXPECT_EQ(told().ended[1].exit_status, 5);
}

TEST_F(GivenAnInteractiveOrder, WhenControlCIsTypedThenTheJobIsInterrupted) {
  begin("trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.05; done",
        Interaction::terminal, true);
  ASSERT_TRUE(has_written("ready"));
  launcher->write_input(launch.attempt, 1, "\x03", false);
  ASSERT_TRUE(has_ended(1));
  EXPECT_NE(told().output[1].find("caught"), std::string::npos);
  EXPECT_EQ(told().ended[1].exit_status, 3);
}

TEST_F(GivenAnInteractiveOrder, WhenWhatIsTypedEndsThenTheJobReadsAnEnd) {
  begin("cat >/dev/null; echo over", Interaction::terminal, true);
  launcher->write_input(launch.attempt, 1, "line\n", true);
  ASSERT_TRUE(has_ended(1));
  EXPECT_NE(told().output[1].find("over"), std::string::npos);
}

TEST_F(GivenAnInteractiveOrder, WhenItsClientGoesThenItHearsOfItAndEnds) {
  goes_from(Interaction::streams);
}

TEST_F(GivenAnInteractiveOrder, WhenNobodyIsAtItsTerminalThenItHearsOfItAndEnds) {
  goes_from(Interaction::terminal);
}

TEST_F(GivenAnInteractiveOrder, WhenItsClientGoesBeforeItHasItsTerminalThenThatIsTold) {
  begin("sleep 100", Interaction::terminal, true);
  launcher->hang_up(launch.attempt, 1);
  EXPECT_EQ(end().record.failed, failed::killed);
  EXPECT_EQ(end().record.reason, "its client has gone");
}

TEST_F(GivenAnInteractiveOrder, WhenItIsKilledBeforeAClientComesThenItIsOver) {
  wait_for_client("echo never", Interaction::streams);
  launcher->control(launch.attempt, TaskAction::kill);
  EXPECT_EQ(end().record.failed, failed::killed);
  EXPECT_TRUE(end().began) << "it is not tried elsewhere";
  attach(1);
  ASSERT_TRUE(has_ended(1));
  EXPECT_EQ(told().ended[1].failed, failed::before_job);
  EXPECT_TRUE(told().output[1].empty());
}

TEST_F(GivenAnInteractiveOrder, WhenAnotherClientComesThenItIsRefusedAndTheFirstOneHasTheJob) {
  begin("read line; echo $line", Interaction::streams, true);
  attach(2, true);
  ASSERT_TRUE(has_ended(2));
  EXPECT_EQ(told().ended[2].failed, failed::before_job);
  launcher->write_input(launch.attempt, 1, "mine\n", true);
  ASSERT_TRUE(has_ended(1));
  EXPECT_EQ(told().output[1], "mine\n");
}

TEST_F(GivenAnInteractiveOrder, WhenNobodyTakesItsOutputThenItsEndIsReportedOnceAllIsTaken) {
  begin("head -c 2000000 /dev/zero", Interaction::streams);
  constexpr std::size_t most = 1 << 20;
  ASSERT_TRUE(eventually([&] { return told().output[1].size() == most; }));
  for (int round = 0; round < 20; ++round) settle();
  EXPECT_EQ(told().output[1].size(), most);
  std::size_t taken = 0;
  ASSERT_TRUE(eventually([&] {
    const auto size = told().output[1].size();
    launcher->take_output(launch.attempt, 1, static_cast<std::int64_t>(size - taken));
    taken = size;
    return told().ended.contains(1);
  }));
  EXPECT_EQ(told().output[1].size(), 2'000'000u);
  EXPECT_EQ(end().record.failed, failed::none);
}

TEST_F(GivenAnInteractiveOrder, WhenItIsKilledThenOutputThatNobodyTakesIsNotWaitedFor) {
  begin("head -c 1100000 /dev/zero", Interaction::streams);
  ASSERT_TRUE(eventually([&] { return told().output[1].size() >= 1 << 20; }));
  launcher->control(launch.attempt, TaskAction::kill);
  // Killed while it writes, or over and not yet read: either way it ends.
  ASSERT_TRUE(eventually([&] {
    launcher->control(launch.attempt, TaskAction::kill);
    return !reports(TaskPhase::ended).empty();
  }));
  EXPECT_TRUE(has_ended(1));
}

// What had its streams is gone, and so is its client.
TEST_F(GivenAnInteractiveOrder, WhenTheAgentIsStartedAgainThenTheJobIsHungUp) {
  begin("trap 'exit 1' HUP; echo ready; while :; do sleep 0.05; done", Interaction::streams, true);
  ASSERT_TRUE(has_written("ready"));
  restart();
  EXPECT_EQ(end().record.failed, failed::killed);
  EXPECT_EQ(end().record.reason, "its client has gone");
}

// Its terminal says so, too, and may be quicker than the new agent.
TEST_F(GivenAnInteractiveOrder, WhenTheAgentIsStartedAgainThenAJobAtATerminalIsHungUp) {
  begin("trap 'exit 3' HUP; echo ready; while :; do sleep 0.05; done", Interaction::terminal, true);
  ASSERT_TRUE(has_written("ready"));
  restart();
  EXPECT_EQ(end().record.exit_status, 3);
}
