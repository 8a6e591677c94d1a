// What a shepherd is told of a job of qrsh or qlogin (spec/cli.md C10.1, C10.2), and the sizes of terminals.
#include "core/execution/host_words.hpp"
#include "core/execution/task_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace almanac;

namespace {

using Words = std::vector<std::string>;

class GivenAnInteractiveJob : public testing::Test {
protected:
  GivenAnInteractiveJob() {
    job.number = {12}, job.owner.user = "alice";
    auto& request = job.request.edit();
    request.name = "name", request.binary = true, request.interaction = Interaction::streams;
    request.output = "/elsewhere", request.join = true; // of a request file
    task.grants = {{{"all.q", "h1"}, 1}};
    setting.cell = "cell", setting.host = "h1", setting.shell = "/bin/sh";
    setting.shell_start_mode = "posix_compliant";
  }
  ShepherdOrder told() const {
    auto made = task_order(job, task, setting);
    EXPECT_TRUE(made.ok()) << made.what();
    const HostWords words{"/home/alice", "/bin/bash", "/spool/7.0.1", "/tmp/t",
                          "/agent",      "/usr/bin",  "lx-amd64"};
    FillIn fill(words);
    describe(fill, *made);
    EXPECT_TRUE(fill.outcome.ok());
    return *made;
  }
  JobRequest& request() { return job.request.edit(); }

  Job job;
  Task task;
  TaskSetting setting;
};

} // namespace

// C10.1
TEST_F(GivenAnInteractiveJob, WhenItHasNoCommandThenItIsTheUsersLoginShell) {
  request().interaction = Interaction::terminal;
  const auto order = told();
  EXPECT_EQ(order.job.arguments, (Words{"/bin/bash"}));
  EXPECT_TRUE(order.login);
  EXPECT_EQ(order.interaction, Interaction::terminal);
  EXPECT_FALSE(order.join) << "its streams go to its client";
  EXPECT_TRUE(order.must_exist.empty());
}

// C10.2
TEST_F(GivenAnInteractiveJob, WhenItHasACommandThenTheUsersShellReadsItsWordsAsARemoteShellDoes) {
  request().command = "/bin/echo", request().arguments = {"$HOME", ";", "date"};
  const auto order = told();
  EXPECT_EQ(order.job.arguments, (Words{"/bin/bash", "-c", "/bin/echo $HOME ; date"}));
  EXPECT_FALSE(order.login);
  EXPECT_TRUE(order.must_exist.empty()) << "the shell says that it is not there";
}

TEST_F(GivenAnInteractiveJob, WhenNoShellIsToReadItsWordsThenTheyAreRunAsTheyAre) {
  request().command = "/bin/echo", request().arguments = {"$HOME"}, request().direct = true;
  EXPECT_EQ(told().job.arguments, (Words{"/bin/echo", "$HOME"}));
}

TEST_F(GivenAnInteractiveJob, WhenItIsAScriptThenItsInputIsNotTheScript) {
  setting.shell_start_mode = "script_from_stdin";
  request().binary = false, request().command = "job.sh", request().arguments = {"one"};
  const auto order = told();
  EXPECT_EQ(order.job.arguments, (Words{"/bin/sh", "/spool/7.0.1/script", "one"}));
  EXPECT_TRUE(order.input.empty());
}

TEST_F(GivenAnInteractiveJob, WhenTheQueueHasAStarterThenTheStarterRunsTheCommand) {
  setting.starter = {"/site/starter"};
  request().command = "/bin/date";
  EXPECT_EQ(told().job.arguments, (Words{"/site/starter", "/bin/date"}));
}

TEST(GivenATerminal, WhenItsSizeIsNoneThenItIsTheUsualOne) {
  EXPECT_EQ(usable({0, 0}), (TerminalSize{24, 80}));
  EXPECT_EQ(usable({-3, 100}), (TerminalSize{24, 100}));
  EXPECT_EQ(usable({50, 1'000'000}), (TerminalSize{50, largest_terminal}));
}
