#include "tests/agent/launcher_fixture.hpp"

using namespace almanac;
using session::TaskAction;
using session::TaskPhase;

namespace {

class GivenALauncher : public LauncherFixture {};

} // namespace

// ---- a task's life ------------------------------------------------------------------------------

TEST_F(GivenALauncher, WhenATaskIsLaunchedThenItsStartAndItsEndAreReported) {
  start();
  EXPECT_TRUE(fs::exists(spooled()));
  EXPECT_TRUE(launcher->order_of(launch.attempt));
  EXPECT_TRUE(reports(TaskPhase::ended).empty());
  let_end(3);
  const auto report = end();
  EXPECT_TRUE(report.began);
  EXPECT_FALSE(report.user_fault);
  EXPECT_EQ(report.record.failed, failed::none);
  EXPECT_EQ(report.record.exit_status, 3);
  EXPECT_EQ(report.store_id, "store");
  EXPECT_EQ(report.term.value, 4);
  EXPECT_EQ(told().reports.size(), 2u);
}

TEST_F(GivenALauncher, WhenATaskIsKilledThenItsProcessEndsAndTheReportSaysSo) {
  const auto pid = start();
  launcher->control(launch.attempt, TaskAction::kill);
  const auto report = end();
  EXPECT_TRUE(report.began);
  EXPECT_EQ(report.record.failed, failed::killed);
  EXPECT_EQ(report.record.exit_status, 128 + SIGKILL);
  EXPECT_TRUE(is_gone(pid));
}

TEST_F(GivenALauncher, WhenATaskIsSuspendedThenItStandsStillUntilItIsContinued) {
  const auto pid = start();
  launcher->control(launch.attempt, TaskAction::suspend);
  EXPECT_TRUE(eventually([&] { return state_of(pid) == 'T'; }));
  launcher->control(launch.attempt, TaskAction::resume);
  EXPECT_TRUE(eventually([&] { return state_of(pid) != 'T'; }));
  let_end(0);
  EXPECT_EQ(end().record.failed, failed::none);
}

// Records may change between two versions of master and agent: what is run stands in the warrant.
TEST_F(GivenALauncher, WhenTheJobsRecordSaysOtherwiseThenOnlyTheWarrantIsCarriedOut) {
  auto order = this->order();
  order.job.owner.user = "nobody-here", order.job.owner.uid = 1;
  order.job.request = JobRequest();
  order.shell = "/nowhere/sh", order.prolog = order.epilog = "/bin/false";
  order.job.tasks.front().limit = Duration{0};
  launcher->launch(order);
  ASSERT_TRUE(is_reported(TaskPhase::running));
  let_end(3);
  EXPECT_EQ(end().record.failed, failed::none);
  EXPECT_EQ(end().record.exit_status, 3);
}

TEST_F(GivenALauncher, WhenATaskIsLaunchedAgainThenItStartsOnceAndIsReportedOnce) {
  const auto first = order();
  launcher->launch(first);
  launcher->launch(first);
  launcher->launch(order());
  ASSERT_TRUE(is_reported(TaskPhase::running));
  settle();
  EXPECT_EQ(told().reports.size(), 1u);
  EXPECT_TRUE(launcher->order_of(launch.attempt)->warrant == first.warrant)
      << "the first one counts";
  let_end(0);
  EXPECT_EQ(end().record.failed, failed::none);
  launcher->launch(order());
  settle();
  EXPECT_EQ(told().reports.size(), 2u) << "its end was reported";
  EXPECT_EQ(pids().size(), 1u);
}

TEST_F(GivenALauncher, WhenATaskIsTriedAgainThenItsAttemptsAreListedWithTheNewestFirst) {
  start();
  const auto first = launch.attempt;
  launch.attempt.attempt += 1;
  start();
  EXPECT_EQ(launcher->attempts_of({12}), (std::vector<Attempt>{launch.attempt, first}));
  EXPECT_TRUE(launcher->attempts_of({13}).empty());
}

TEST_F(GivenALauncher, WhenATaskIsForgottenThenItEndsAndNothingIsLeftOfIt) {
  const auto pid = start();
  launcher->forget(launch.attempt);
  settle();
  EXPECT_TRUE(eventually([&] { return is_gone(pid); }));
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_FALSE(fs::exists(spooled()));
  EXPECT_FALSE(launcher->order_of(launch.attempt));
  EXPECT_TRUE(reports(TaskPhase::ended).empty()) << "nobody asks for it any more";
}

TEST_F(GivenALauncher, WhenAShepherdIsKilledThenItsTaskIsEndedAndItsEndReportedAsUnknown) {
  const auto pid = start();
  ::kill(shepherd(), SIGKILL);
  const auto report = end();
  EXPECT_TRUE(report.began);
  EXPECT_EQ(report.record.failed, failed::by_signal) << "docs/spec/cli.md C9.48";
  EXPECT_TRUE(eventually([&] { return is_gone(pid); }));
}

TEST_F(GivenALauncher, WhenItIsAskedWhatTasksUseThenItKnowsAMomentLaterUntilTheyEnd) {
  start();
  EXPECT_TRUE(launcher->usages().empty()) << "nobody has asked";
  EXPECT_TRUE(eventually([&] {
    launcher->ask_usage();
    const auto all = launcher->usages();
    return all.size() == 1 && all.front().attempt == launch.attempt &&
           all.front().usage.vmem_bytes > 0;
  }));
  let_end(0);
  const auto record = end().record;
  EXPECT_GT(record.maxvmem_bytes, 0);
  EXPECT_GT(record.io_bytes, 0);
  EXPECT_EQ(record.signal, 0);
  EXPECT_TRUE(launcher->usages().empty());
}

// ---- what does not begin ------------------------------------------------------------------------

TEST_F(GivenALauncher, WhenATaskCannotBeginByItsUsersFaultThenTheReportSaysSo) {
  const auto sound = launch;
  for (const auto code : {failed::no_shell, failed::no_directory, failed::cannot_open_output}) {
    const auto next = launch.attempt.attempt + 1;
    launch = sound, launch.attempt.attempt = next;
    if (code == failed::no_shell) launch.shell = "/nosuch/shell";
    else if (code == failed::no_directory) launch.job.request.edit().directory = "/nosuch";
    else launch.job.request.edit().output = "/nosuch/output";
    launcher->launch(order());
    const auto report = end();
    EXPECT_TRUE(report.user_fault) << code;
    EXPECT_FALSE(report.began) << code;
    EXPECT_EQ(report.record.failed, code) << report.record.reason;
    EXPECT_TRUE(reports(TaskPhase::running).empty()) << code;
  }
}

TEST_F(GivenALauncher, WhenTheHelperRefusesAnOrderThenNothingBeginsAndItsUserIsNotBlamed) {
  auto bad = order();
  bad.warrant_signature.content.back() ^= 1;
  launcher->launch(bad);
  EXPECT_EQ(end().record.failed, failed::before_job);
  EXPECT_FALSE(end().began || end().user_fault);
  launch.attempt.attempt += 1;
  auto late = order();
  auto warrant = warrant_naming(launcher->nonce());
  warrant.nonce.content.back() ^= 1;
  late.warrant.content = print_warrant(warrant);
  late.warrant_signature.content = masters_signature(late.warrant.content);
  launcher->launch(late);
  EXPECT_EQ(end().record.failed, failed::rescheduled) << "it is given again at once";
  EXPECT_FALSE(end().began || end().user_fault);
  EXPECT_TRUE(pids().empty());
}

TEST_F(GivenALauncher, WhenAnOrderCannotBeSpooledThenNothingBeginsAlsoWhenItIsRepeated) {
  fs::create_directory(spooled());
  const auto given = order();
  launcher->launch(given);
  EXPECT_EQ(end().record.failed, failed::before_job);
  EXPECT_FALSE(end().began || end().user_fault);
  EXPECT_FALSE(launcher->order_of(launch.attempt));
  fs::remove(spooled());
  launcher->launch(given);
  settle();
  EXPECT_EQ(told().reports.size(), 1u);
  EXPECT_FALSE(fs::exists(folder()));
  launcher->forget(launch.attempt);
  start();
}

// ---- a launcher that is started again -----------------------------------------------------------

TEST_F(GivenALauncher, WhenItIsStartedAgainThenItAdoptsWhatRunsAndStartsNothing) {
  const auto pid = start();
  restart();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().attempt, launch.attempt);
  EXPECT_EQ(found.front().phase, TaskPhase::spooled);
  EXPECT_EQ(found.front().store_id, "store");
  EXPECT_TRUE(is_reported(TaskPhase::running));
  launcher->launch(order());
  settle();
  EXPECT_EQ(told().reports.size(), 1u);
  EXPECT_EQ(pids(), std::vector<pid_t>{pid});
  EXPECT_FALSE(is_gone(pid));
  let_end(4);
  EXPECT_EQ(end().record.exit_status, 4);
}

TEST_F(GivenALauncher, WhenATaskEndsWithoutALauncherThenItsEndIsReportedUntilItIsForgotten) {
  start();
  stop();
  let_end(5);
  ASSERT_TRUE(eventually([&] { return progress().record.has_value(); }));
  for (int round = 0; round < 3; ++round) {
    restart();
    EXPECT_EQ(found.size(), 1u);
    EXPECT_TRUE(end().began);
    EXPECT_EQ(end().record.exit_status, 5) << round;
    settle();
    EXPECT_EQ(told().reports.size(), 1u) << round;
  }
  launcher->forget(launch.attempt);
  settle();
  restart();
  EXPECT_TRUE(found.empty());
}

TEST_F(GivenALauncher, WhenTheMachineWasStartedAgainThenATaskThatRanIsReportedAsLost) {
  const auto pid = start();
  stop();
  ::kill(shepherd(), SIGKILL), ::kill(pid, SIGKILL);
  ASSERT_TRUE(eventually([&] { return is_gone(pid); }));
  const auto boot = fs::path(session_folder()) / "boot", this_one = place / "this boot";
  fs::copy_file(boot, this_one);
  std::ofstream(boot) << "another\n";
  restart();
  EXPECT_EQ(found.size(), 1u);
  EXPECT_TRUE(end().began) << "it is not started again";
  EXPECT_EQ(end().record.failed, failed::no_exit_status);
  EXPECT_EQ(end().record.reason, "the host was rebooted");
  EXPECT_EQ(content_at(boot), content_at(this_one));
  restart();
  EXPECT_EQ(end().record.reason, "the host was rebooted") << "also the next time";
  EXPECT_EQ(pids().size(), 1u);
}

TEST_F(GivenALauncher, WhenAFileOfTheSpoolIsDamagedThenItsTaskIsEndedAndTheOthersGoOn) {
  const auto lost = start();
  const auto damaged = spooled(), damaged_folder = folder();
  launch.attempt.attempt += 1;
  const auto kept = start();
  stop();
  auto text = content_at(damaged);
  text.back() ^= 1;
  std::ofstream(damaged) << text;
  const auto beside = [&](const char* name) { return fs::path(session_folder()) / name; };
  for (const char* name : {"8.1.1", "9.1.1.end", "notes"}) std::ofstream(beside(name)) << "x";
  restart();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().attempt, launch.attempt);
  EXPECT_TRUE(eventually([&] { return is_gone(lost); }));
  for (const auto& path : {damaged, damaged_folder, beside("8.1.1"), beside("9.1.1.end")})
    EXPECT_FALSE(fs::exists(path)) << path;
  EXPECT_TRUE(fs::exists(beside("notes"))) << "it is no task's";
  EXPECT_FALSE(is_gone(kept));
  let_end(0);
  EXPECT_EQ(end().record.failed, failed::none);
}

TEST_F(GivenALauncher, WhenAnOrderWasSpooledAndNotCarriedOutThenItIsForgotten) {
  ASSERT_TRUE(Spool::open(session_folder(), "id")->keep(order()).ok());
  restart();
  EXPECT_TRUE(found.empty());
  EXPECT_FALSE(fs::exists(spooled()));
  EXPECT_FALSE(launcher->order_of(launch.attempt));
  start();
}

TEST_F(GivenALauncher, WhenItIsDestroyedThenItsFilesAreClosed) {
  stop();
  const auto before = open_files();
  begin();
  const auto task = launch;
  make_part();
  launcher->launch(order());
  launcher->start_inherited(launch.attempt, process(1, "read line", true));
  settle();
  stop();
  EXPECT_EQ(open_files(), before) << "of a part with a process";
  begin();
  launch = task, launch.attempt.attempt += 1;
  start();
  stop();
  EXPECT_EQ(open_files(), before) << "of a task";
  begin();
  stop();
  EXPECT_EQ(open_files(), before) << "of a task that was adopted and not looked at";
  begin();
}

// ---- parts, and processes of qrsh -inherit ------------------------------------------------------

TEST_F(GivenALauncher, WhenAPartIsClearedThenItsProcessesEndAndItsEndIsReported) {
  make_part();
  launcher->launch(order());
  ASSERT_TRUE(is_reported(TaskPhase::running));
  EXPECT_FALSE(fs::exists(folder() / "progress")) << "it has no process of its own";
  restart();
  EXPECT_EQ(found.size(), 1u);
  ASSERT_TRUE(is_reported(TaskPhase::running));
  launcher->start_inherited(launch.attempt, process(1, launch.script.content));
  ASSERT_TRUE(eventually([&] { return !pids().empty(); }));
  launcher->control(launch.attempt, TaskAction::kill);
  EXPECT_TRUE(end().began);
  EXPECT_EQ(end().record.failed, failed::killed);
  EXPECT_EQ(end().record.reason, "the part was ended with its job");
  ASSERT_TRUE(has_ended(1));
  EXPECT_EQ(told().ended[1].failed, failed::killed);
  EXPECT_TRUE(is_gone(pids().front()));
}

TEST_F(GivenALauncher, WhenAProcessIsStartedInAPartThenItsInputOutputAndEndArePassedOn) {
  make_part();
  launcher->launch(order());
  launcher->start_inherited(launch.attempt, process(1, "cat; echo sad >&2; exit 6", true));
  ASSERT_TRUE(eventually([&] { return told().room[1] > 0; }));
  const auto room = told().room[1];
  launcher->write_input(launch.attempt, 1, "one\n", false);
  EXPECT_TRUE(eventually([&] { return told().output[1] == "one\n"; })) << "while it runs";
  launcher->write_input(launch.attempt, 1, "two\n", true);
  ASSERT_TRUE(has_ended(1));
  const auto all = told();
  EXPECT_EQ(all.output.at(1), "one\ntwo\n");
  EXPECT_EQ(all.error.at(1), "sad\n");
  EXPECT_EQ(all.ended.at(1).exit_status, 6);
  EXPECT_EQ(all.room.at(1), room + 8) << "for what was read";
  EXPECT_TRUE(reports(TaskPhase::ended).empty()) << "the part is still there";
}

TEST_F(GivenALauncher, WhenNobodyTakesTheOutputOfAProcessThenOnlySomeOfItIsTold) {
  constexpr std::size_t size = 4'000'000, most = 1 << 20;
  make_part();
  launcher->launch(order());
  launcher->start_inherited(launch.attempt, process(1, "head -c 4000000 /dev/zero"));
  ASSERT_TRUE(eventually([&] { return told().output[1].size() >= most; }));
  for (int round = 0; round < 20; ++round) settle();
  EXPECT_EQ(told().output[1].size(), most);
  EXPECT_FALSE(told().ended.contains(1));
  std::size_t taken = 0;
  EXPECT_TRUE(eventually([&] {
    const auto all = told();
    const auto news = all.output.at(1).size() - std::exchange(taken, all.output.at(1).size());
    if (news > 0) launcher->take_output(launch.attempt, 1, static_cast<std::int64_t>(news));
    return all.ended.contains(1);
  }));
  EXPECT_EQ(told().output[1].size(), size);
}

TEST_F(GivenALauncher, WhenAProcessIsNotOrderedByTheFirstHostThenItEndsBeforeItBegins) {
  make_part();
  launcher->launch(order());
  auto forged = process(1, launch.script.content);
  forged.proof.content.back() ^= 1;
  launcher->start_inherited(launch.attempt, forged);
  launcher->start_inherited({99, 1, 1}, process(2, launch.script.content));
  for (const std::int64_t call : {1, 2}) {
    ASSERT_TRUE(has_ended(call));
    EXPECT_EQ(told().ended[call].failed, failed::before_job);
    EXPECT_NE(told().ended[call].reason, "");
  }
  EXPECT_TRUE(pids().empty());
}

// Whoever asked for it was told that nobody knows what became of it.
TEST_F(GivenALauncher, WhenItIsStartedAgainThenProcessesOfBeforeEndAndTheTasksOwnRunsOn) {
  launch.control_slaves = true;
  const auto own = start();
  launcher->start_inherited(launch.attempt, process(1, "trap '' HUP\n" + launch.script.content));
  ASSERT_TRUE(eventually([&] { return pids().size() == 2; }));
  const auto before = pids().back();
  restart();
  EXPECT_TRUE(eventually([&] { return is_gone(before); }));
  launcher->start_inherited(launch.attempt, process(2, "exit 4"));
  ASSERT_TRUE(has_ended(2));
  EXPECT_EQ(told().ended[2].exit_status, 4) << told().ended[2].reason;
  EXPECT_FALSE(told().ended.contains(1)) << "nobody asks for it any more";
  EXPECT_FALSE(is_gone(own));
  let_end(3);
  EXPECT_EQ(end().record.failed, failed::none);
  EXPECT_EQ(end().record.exit_status, 3);
}

TEST_F(GivenALauncher, WhenItIsStartedAgainThenProcessesOfBeforeInAPartEnd) {
  make_part();
  launcher->launch(order());
  launcher->start_inherited(launch.attempt, process(1, launch.script.content));
  ASSERT_TRUE(eventually([&] { return !pids().empty(); }));
  restart();
  EXPECT_TRUE(eventually([&] { return is_gone(pids().front()); }));
  EXPECT_TRUE(is_reported(TaskPhase::running)) << "the part is still there";
  EXPECT_TRUE(reports(TaskPhase::ended).empty());
}

// ---- what is not here ---------------------------------------------------------------------------

TEST_F(GivenALauncher, WhenATaskIsNotHereThenOrdersAboutItDoNothing) {
  const auto pid = start();
  const Attempt unknown{launch.attempt.job, launch.attempt.task, 99};
  for (const auto action : {TaskAction::kill, TaskAction::suspend, TaskAction::resume})
    launcher->control(unknown, action);
  launcher->forget(unknown);
  launcher->write_input(unknown, 1, "x", true);
  launcher->take_output(unknown, 1, 10);
  launcher->write_input(launch.attempt, 1, "x", true);
  settle();
  EXPECT_FALSE(launcher->order_of(unknown));
  EXPECT_EQ(told().reports.size(), 1u);
  EXPECT_NE(state_of(pid), 'T');
  EXPECT_FALSE(is_gone(pid));
  let_end(0);
  EXPECT_EQ(end().record.failed, failed::none);
}
