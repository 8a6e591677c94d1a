// What a shepherd is told, as far as the master can say it.
#include "core/execution/call_environment.hpp"
#include "core/execution/environment.hpp"
#include "core/execution/host_words.hpp"
#include "core/execution/task_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace almanac;

namespace {

class GivenATaskToOrder : public testing::Test {
protected:
  GivenATaskToOrder() {
    job.number = {12}, job.owner.user = "alice";
    job.request.edit().name = "name";
    job.request.edit().environment = {{"LD_PRELOAD", "x"}, {"PATH", "/opt/bin"}, {"MINE", "1"}};
    task.grants = {{{"all.q", "h1"}, 2}};
    setting.cell = "cell", setting.host = "h1", setting.shell = "/bin/sh";
    setting.shell_start_mode = "posix_compliant";
  }

  ShepherdOrder order() const {
    auto made = task_order(job, task, setting);
    EXPECT_TRUE(made.ok()) << made.what();
    return *made;
  }
  // As on a host where they are called so.
  ShepherdOrder filled() const {
    auto made = order();
    const HostWords words{"/home/alice", "/bin/bash", "/spool/7.0.1", "/tmp/t",
                          "/agent",      "/usr/bin",  "lx-amd64"};
    FillIn fill(words);
    describe(fill, made);
    EXPECT_TRUE(fill.outcome.ok()) << fill.outcome.what();
    return made;
  }
  static std::string value(const std::vector<Attribute>& list, const std::string& name) {
    const auto it = std::find_if(list.begin(), list.end(),
                                 [&](const auto& variable) { return variable.name == name; });
    return it == list.end() ? "(none)" : it->value;
  }

  Job job;
  Task task;
  TaskSetting setting;
};

using Words = std::vector<std::string>;

} // namespace

TEST_F(GivenATaskToOrder, WhenTheHostFillsInWhatItKnowsThenNoMarkIsLeft) {
  job.request.edit().output = "$HOME/out.$JOB_ID";
  const auto told = filled();
  EXPECT_EQ(told.output.path, "/home/alice/out.12");
  EXPECT_EQ(told.error.path, "/home/alice/name.e12");
  EXPECT_EQ(told.job.directory, "/home/alice");
  EXPECT_EQ(told.job.arguments, (Words{"/bin/sh", "/spool/7.0.1/script"}));
  EXPECT_EQ(told.remove_after, "/tmp/t");
  EXPECT_EQ(value(told.environment, "TMPDIR"), "/tmp/t");
  EXPECT_EQ(value(told.environment, "SGE_ARCH"), "lx-amd64");
  EXPECT_EQ(value(told.job.environment, "PATH"), "/tmp/t:/opt/bin:/usr/bin");
  EXPECT_EQ(value(told.job.environment, "SGE_STDOUT_PATH"), "/home/alice/out.12");
}

TEST_F(GivenATaskToOrder, WhenItHasCommandsOfTheSiteThenTheUsersVariablesSteerNoneOfThem) {
  setting.prolog = "/site/prolog $job_id", setting.epilog = "root@/site/epilog $job_name";
  setting.pe_start = "alice@/site/start $pe_hostfile";
  job.request.edit().name = "a; rm -rf /";
  const auto told = filled();
  EXPECT_EQ(value(told.job.environment, "LD_PRELOAD"), "x");
  EXPECT_EQ(value(told.environment, "LD_PRELOAD"), "(none)");
  EXPECT_EQ(value(told.environment, "MINE"), "1");
  for (const auto* own : {&told.prolog, &told.pe_start}) {
    EXPECT_TRUE(own->is_users);
    EXPECT_EQ(own->as.user, "");
    EXPECT_EQ(own->environment, (std::vector<Attribute>{{"PATH", usual_path}}));
  }
  EXPECT_EQ(told.prolog.arguments, (Words{"/site/prolog", "12"}));
  EXPECT_EQ(told.pe_start.arguments, (Words{"/site/start", "/spool/7.0.1/pe_hostfile"}));
  const auto& foreign = told.epilog;
  EXPECT_FALSE(foreign.is_users);
  EXPECT_EQ(foreign.as.user, "root");
  EXPECT_EQ(foreign.directory, "/");
  EXPECT_EQ(foreign.arguments, (Words{"/site/epilog", "a; rm -rf /"}));
  for (const auto* name : {"MINE", "LD_PRELOAD", "JOB_NAME", "TMPDIR"})
    EXPECT_EQ(value(foreign.environment, name), "(none)") << name;
  EXPECT_TRUE(told.pe_stop.arguments.empty());
}

TEST_F(GivenATaskToOrder, WhenItIsAProgramThenAShellOrNobodyReadsItsWords) {
  auto& request = job.request.edit();
  request.binary = true, request.command = "/bin/echo", request.arguments = {"it's", "$HOME"};
  setting.shell = "/bin/csh";
  EXPECT_EQ(order().job.arguments, (Words{"/bin/csh", "-c", "exec /bin/echo \"it's\" \"$HOME\""}));
  EXPECT_EQ(order().must_exist, "/bin/echo");
  request.direct = true;
  EXPECT_EQ(order().job.arguments, (Words{"/bin/echo", "it's", "$HOME"}));
  request.command = "echo";
  EXPECT_EQ(order().job.arguments, (Words{"/usr/bin/env", "--", "echo", "it's", "$HOME"}));
  request.command = "./echo", request.directory = "/work";
  EXPECT_EQ(order().job.arguments, (Words{"/work/./echo", "it's", "$HOME"}));
  EXPECT_EQ(order().must_exist, "/work/./echo");
}

// What /bin/sh would only hand on.
TEST_F(GivenATaskToOrder, WhenItIsAPathAndNothingForTheShellThenItIsBegunWithoutIt) {
  auto& request = job.request.edit();
  setting.shell = "/bin/sh";
  request.binary = true, request.command = "/bin/echo", request.arguments = {"it's", "a \"b\" *"};
  request.directory = "/work", request.environment = {{"PWD", "/elsewhere"}};
  const auto told = order();
  EXPECT_EQ(told.job.arguments, (Words{"/bin/echo", "it's", "a \"b\" *"}));
  EXPECT_EQ(told.must_exist, "/bin/echo");
  std::vector<std::string> known_as;
  for (const auto* list : {&told.environment, &told.job.environment})
    for (const auto& variable : *list)
      if (variable.name == "PWD") known_as.push_back(variable.value);
  EXPECT_EQ(known_as, Words{"/work"}) << "as the shell would say it";
  for (const char* command : {"/bin/e*", "/bin/echo $x", "/bin/echo;", "/bin/e~", "/bin/'a'", "a=b",
                              "echo", "/bin/{a,b}", "/bin/echo|cat", "/bin/echo\n"}) {
    request.command = command;
    EXPECT_EQ(order().job.arguments.front(), "/bin/sh") << command;
  }
  request.command = "/bin/echo";
  for (const char* argument : {"$SGE_TASK_ID", "`date`", "\\$HOME"}) {
    request.arguments = {"it's", argument};
    EXPECT_EQ(
        order().job.arguments,
        (Words{"/bin/sh", "-c", std::string("exec /bin/echo \"it's\" \"") + argument + "\""}));
  }
  request.arguments.clear(), request.shell = "/bin/sh -e";
  EXPECT_EQ(order().job.arguments.front(), "/bin/sh") << "a shell with words of its own";
}

TEST_F(GivenATaskToOrder, WhenItsScriptNamesItsInterpreterThenTheModeOfTheQueueDecides) {
  setting.has_interpreter = true, setting.shell_start_mode = "unix_behavior";
  EXPECT_EQ(filled().job.arguments, (Words{"/spool/7.0.1/script"}));
  job.request.edit().shell = "h2:/bin/a,/usr/bin/env bash";
  EXPECT_EQ(filled().job.arguments, (Words{"/usr/bin/env", "bash", "/spool/7.0.1/script"}));
  setting.shell_start_mode = "script_from_stdin";
  EXPECT_EQ(filled().job.arguments, (Words{"/usr/bin/env", "bash", "-s"}));
  EXPECT_EQ(filled().input, "/spool/7.0.1/script");
}

TEST_F(GivenATaskToOrder, WhenAVariableOfItIsLargeThenItIsInTheOrderOnce) {
  job.request.edit().environment.push_back({"LARGE", std::string(100'000, 'l')});
  setting.prolog = setting.epilog = setting.pe_start = setting.pe_stop = "/site/step";
  std::size_t size = 0;
  const auto told = order();
  for (const auto* list : {&told.environment, &told.job.environment, &told.prolog.environment,
                           &told.epilog.environment})
    for (const auto& variable : *list) size += variable.value.size();
  EXPECT_LT(size, 110'000u);
}

TEST_F(GivenATaskToOrder, WhenThereAreProcessesOfQrshThenTheyHaveWhatTheJobHasButNoCommand) {
  setting.prolog = "/site/prolog", setting.limits = {{"cpu", 1, 2}}, task.limit = {60};
  task.fence = {30};
  const auto call = call_order(job, task, setting);
  EXPECT_TRUE(call.job.arguments.empty());
  EXPECT_TRUE(call.prolog.arguments.empty());
  EXPECT_EQ(call.limit, 0);
  EXPECT_EQ(call.fence, 30);
  EXPECT_EQ(call.limits.size(), 1u);
  EXPECT_TRUE(call.job.is_users);
  EXPECT_EQ(value(call.job.environment, "LD_PRELOAD"), "x");
}

// spec/cli.md C10.9: as Grid Engine's exec_job.c
TEST_F(GivenATaskToOrder,
       WhenVariablesAreExportedWithQrshThenTheyGoOverTheJobsButNotOverTheSystems) {
  auto told = filled();
  auto all = told.job.environment;
  all.insert(all.end(), told.environment.begin(), told.environment.end());
  export_to_call(all, {{"MINE", "2"},
                       {"NEW", "3"},
                       {"PATH", "/mine"},
                       {"TMPDIR", "/elsewhere"},
                       {"JOB_ID", "1"},
                       {"SGE_O_LOGNAME", "bob"},
                       {"SGE_O_HOME", "/home/bob"}});
  for (const auto& [name, wanted] : std::vector<Attribute>{{"MINE", "2"},
                                                           {"NEW", "3"},
                                                           {"PATH", "/tmp/t:/mine:/usr/bin"},
                                                           {"TMPDIR", "/tmp/t"},
                                                           {"JOB_ID", "12"},
                                                           {"SGE_O_LOGNAME", "alice"},
                                                           {"SGE_O_HOME", "/home/bob"}})
    EXPECT_EQ(value(all, name), wanted) << name;
  std::vector<Attribute> of_hook; // nothing of a job
  export_to_call(of_hook, {{"PATH", "/bin"}, {"JOB_ID", "1"}});
  EXPECT_EQ(of_hook, (std::vector<Attribute>{{"PATH", "/bin"}, {"JOB_ID", "1"}}));
}

TEST(GivenATextWithMarks, WhenTheyAreFilledInThenWhatIsNoMarkIsAnError) {
  const auto mark = marks();
  const HostWords words{"/home/alice", "", "/f", "", "", "", "arch"};
  auto text = mark.home + "/" + mark.folder + mark.folder + ":" + mark.arch;
  ASSERT_TRUE(fill_in(text, words).ok());
  EXPECT_EQ(text, "/home/alice//f/f:arch");
  for (const auto& bad : {std::string("x\0", 2), std::string("\0z", 2), std::string("\0\0", 2),
                          std::string("\0\x80", 2), mark.home + std::string(1, '\0')}) {
    auto broken = bad;
    EXPECT_FALSE(fill_in(broken, words).ok());
    EXPECT_EQ(broken, bad);
  }
}

// ---- what a queue says of how its jobs are run --------------------------------------------------

// spec/cli.md section 9.3
TEST_F(GivenATaskToOrder, WhenTheQueueHasAStarterThenItIsGivenWhatWouldHaveBeenRun) {
  setting.starter = {"/site/start", "$job_id"};
  setting.login_shells = {"sh"};
  job.request.edit().arguments = {"a b"};
  const auto told = filled();
  EXPECT_EQ(told.job.arguments, (Words{"/site/start", "12", "/spool/7.0.1/script", "a b"}));
  EXPECT_EQ(value(told.job.environment, "SGE_STARTER_SHELL_PATH"), "/bin/sh");
  EXPECT_EQ(value(told.job.environment, "SGE_STARTER_SHELL_START_MODE"), "posix_compliant");
  EXPECT_EQ(value(told.job.environment, "SGE_STARTER_USE_LOGIN_SHELL"), "true");
  EXPECT_FALSE(told.login) << "that is the starter's affair";
  EXPECT_TRUE(told.by_starter);
  job.request.edit().binary = true, job.request.edit().command = "work";
  job.request.edit().shell = "/bin/ksh -x";
  EXPECT_EQ(filled().job.arguments, (Words{"/site/start", "12", "work", "a b"}));
  EXPECT_EQ(value(filled().job.environment, "SGE_STARTER_SHELL_PATH"), "/bin/ksh");
  EXPECT_EQ(value(filled().job.environment, "SGE_STARTER_USE_LOGIN_SHELL"), "false");
}

TEST_F(GivenATaskToOrder, WhenItsShellIsALoginShellThenItIsOnlyInTheModeThatSaysSo) {
  setting.login_shells = {"bash", "sh"};
  EXPECT_TRUE(order().login);
  setting.shell = "/bin/dash";
  EXPECT_FALSE(order().login);
  setting.shell = "/bin/bash", setting.shell_start_mode = "unix_behavior";
  EXPECT_FALSE(order().login);
  setting.shell_start_mode = "posix_compliant";
  job.request.edit().binary = true, job.request.edit().command = "/bin/work";
  EXPECT_TRUE(order().login);
  EXPECT_EQ(order().job.arguments, (Words{"/bin/bash", "-c", "exec /bin/work"}));
}

// spec/cli.md section 9.5
TEST_F(GivenATaskToOrder, WhenTheQueueHasMethodsThenTheyAreSignalsOrCommandsOfTheOwner) {
  setting.suspend = {20, {}};
  setting.terminate = {0, {"/site/end", "$job_pid", "$job_id", "$job_owner", "$queue", "$host"}};
  setting.nice = 7;
  const auto told = filled();
  EXPECT_EQ(told.suspend.signal, 20);
  EXPECT_TRUE(told.suspend.is_given());
  EXPECT_FALSE(told.resume.is_given());
  EXPECT_EQ(told.terminate.command.arguments,
            (Words{"/site/end", "$job_pid", "12", "alice", "all.q", "h1"}))
      << "the process is known where it runs";
  EXPECT_TRUE(told.terminate.command.is_users);
  EXPECT_EQ(value(told.terminate.command.environment, "PATH"), "/usr/local/bin:/bin:/usr/bin")
      << "not that of the user";
  EXPECT_EQ(told.nice, 7);
}

// C3.21: the entry for the host counts, and what it means is in the environment.
// plus.md P5.11: who gives way has as long as a notice of the queue would be, notified or not.
TEST_F(GivenATaskToOrder, WhenItIsToGiveWayOneDayThenThereIsATimeForItAlsoWithoutANotice) {
  EXPECT_EQ(patience_of({60}), 60);
  EXPECT_EQ(patience_of({0}), 5);
  EXPECT_EQ(patience_of(Duration::endless()), 5);
  setting.patience = 5, setting.notice_of_kill = "USR2", setting.notice_of_suspension = "USR1";
  EXPECT_EQ(order().notice, 5);
  EXPECT_EQ(order().notice_of_kill, 0) << "nobody is notified";
  EXPECT_EQ(order().notice_of_suspension, 0);
  EXPECT_EQ(call_order(job, task, setting).notice, 5);
  setting.notice = {7}, setting.patience = 7;
  EXPECT_EQ(order().notice, 7);
  EXPECT_GT(order().notice_of_kill, 0);
}

TEST_F(GivenATaskToOrder, WhenItReadsAFileThenThatIsItsStandardInput) {
  job.request.edit().input = "h2:/other,h1:in.$JOB_ID,/any";
  auto told = filled();
  EXPECT_EQ(told.input, "/home/alice/in.12");
  EXPECT_EQ(value(told.job.environment, "SGE_STDIN_PATH"), "/home/alice/in.12");
  setting.host = "h3";
  EXPECT_EQ(filled().input, "/any");
  job.request.edit().input.clear();
  EXPECT_EQ(filled().input, "");
  job.request.edit().input = "/in", setting.shell_start_mode = "script_from_stdin";
  EXPECT_EQ(filled().input, "/spool/7.0.1/script") << "the shell reads its script from there";
}

// C9.11.
TEST_F(GivenATaskToOrder, WhenItSavesItselfThenItKnowsWhere) {
  setting.checkpoint_directory = "/scratch";
  EXPECT_EQ(value(order().job.environment, "SGE_CKPT_ENV"), "(none)");
  job.request.edit().checkpoint = "self";
  job.request.edit().environment = {{"SGE_CKPT_DIR", "/elsewhere"}};
  EXPECT_EQ(value(order().environment, "SGE_CKPT_ENV"), "self");
  EXPECT_EQ(value(order().environment, "SGE_CKPT_DIR"), "/scratch");
  EXPECT_EQ(value(order().job.environment, "SGE_CKPT_DIR"), "(none)") << "it is there once";
}

// O6.10, O6.16.
TEST_F(GivenATaskToOrder, WhenTheSiteSavesItThenItsCommandsRunAsTheOwnerWithTheirVariables) {
  job.request.edit().checkpoint = "blcr", setting.checkpoint_directory = "/scratch";
  auto& plan = setting.checkpoint;
  plan.is_asked_for = plan.at_move = true;
  plan.checkpoint = {"/opt/save", "$job_id", "$job_pid", "$ckpt_dir/$job_owner", "$ckpt_signal"};
  plan.signal = 12, plan.interval = 300, plan.longest = 600;
  const auto told = filled();
  const auto& step = told.checkpoint.checkpoint;
  EXPECT_EQ(step.arguments, (Words{"/opt/save", "12", "$job_pid", "/scratch/alice", "12"}))
      << "the shepherd knows the process";
  EXPECT_TRUE(step.is_users && step.as.user.empty());
  EXPECT_EQ(step.directory, "/home/alice");
  EXPECT_TRUE(told.checkpoint.migration.arguments.empty());
  EXPECT_TRUE(told.checkpoint.is_asked_for && told.checkpoint.at_move &&
              !told.checkpoint.at_shutdown);
  EXPECT_EQ(told.checkpoint.interval, 300);
}

// O6.19.
TEST_F(GivenATaskToOrder, WhenItWasSavedThenItIsRestartedByTheCommand) {
  job.request.edit().checkpoint = "blcr", setting.checkpoint_directory = "/scratch";
  setting.checkpoint.restart = {"/opt/restart", "$job_pid", "$ckpt_dir"};
  setting.starter = {"/opt/starter"};
  const auto usual = filled().job.arguments;
  task.restarted = true;
  EXPECT_EQ(filled().job.arguments, usual) << "nothing was saved";
  setting.checkpoint.saved_pid = 4711;
  EXPECT_EQ(filled().job.arguments, (Words{"/opt/restart", "4711", "/scratch"}));
  EXPECT_EQ(value(filled().job.environment, "RESTARTED") + value(filled().environment, "RESTARTED"),
            "(none)1");
}

// C3.51.
TEST_F(GivenATaskToOrder, WhenTheJobAsksForABindingThenTheShepherdHearsOfIt) {
  EXPECT_EQ(order().binding, "");
  job.request.edit().binding = "env striding:2:4";
  EXPECT_EQ(order().binding, "env striding:2:4");
}

TEST_F(GivenATaskToOrder, WhenItsBindingHasNoNumberThenItIsThatOfTheSlotsOnItsHost) {
  task.grants = {{{"all.q", "h1"}, 2}, {{"b.q", "h1"}, 1}, {{"all.q", "h2"}, 5}};
  job.request.edit().binding = "set linear:slots";
  EXPECT_EQ(order().binding, "set linear:3");
  setting.host = "h2";
  EXPECT_EQ(call_order(job, task, setting).binding, "set linear:5");
}
