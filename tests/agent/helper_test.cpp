// What a helper does with tasks: it lays them out, launches, checkpoints, prolongs and removes them.
#include "agent/shepherd/bound_cores.hpp"
#include "tests/agent/asked_helper_fixture.hpp"

using namespace almanac;

using GivenAHelper = AskedHelperFixture;

TEST_F(GivenAHelper, WhenTheMasterHasSignedATaskThenItRunsAndIsRecorded) {
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  EXPECT_EQ(content_at(folder() / "script"), "exit 3\n");
  const auto answer = helper->answer(about(HelperVerb::launch));
  ASSERT_EQ(answer.reply.refusal, "");
  const auto progress = end_of(answer);
  ASSERT_TRUE(progress.record);
  EXPECT_EQ(progress.record->exit_status, 3);
  EXPECT_TRUE(told(about(HelperVerb::adopt)).known);
  EXPECT_EQ(refusal_of(about(HelperVerb::remove)), "");
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_FALSE(told(about(HelperVerb::adopt)).known);
}

// B11.22
// C3.51: the last line holds where the process has as many processors as it is told of.
TEST_F(GivenAHelper, WhenAJobAsksForCoresThenItsProcessIsBoundToThem) {
  if (cores_of_host().empty()) GTEST_SKIP() << "this system does not tell of its cores";
  launch.job.request.edit().binding = "set linear";
  script("unset OMP_NUM_THREADS OMP_THREAD_LIMIT\nset -- $SGE_BINDING\n"
         "test $# -gt 0 || exit 2\ntest \"$(nproc)\" -eq $#\n");
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  const auto answer = helper->answer(about(HelperVerb::launch));
  ASSERT_EQ(answer.reply.refusal, "");
  const auto progress = end_of(answer);
  ASSERT_TRUE(progress.record);
  EXPECT_EQ(progress.record->exit_status, 0);
}

// O6.18, O6.20.
TEST_F(GivenAHelper, WhenItStopsThenTasksAreCheckpointedWhereThatIsAnOccasion) {
  saved_by_signal();
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  const auto answer = helper->answer(about(HelperVerb::launch));
  ASSERT_EQ(answer.reply.refusal, "");
  ::usleep(500'000); // the shell sets its trap
  helper->save_tasks();
  const auto progress = end_of(answer);
  ASSERT_TRUE(progress.record);
  EXPECT_EQ(progress.record->exit_status, 7);
  EXPECT_GT(progress.record->checkpoint_pid, 0);
  EXPECT_TRUE(fs::exists(place / "tmp/cleaned"));
}

// O6.20: what was saved may be called after the process.
TEST_F(GivenAHelper, WhenATaskHasEndedThenItsCleanCommandKnowsTheProcessThatItHad) {
  saved_by_signal();
  script("echo $$ > " + (place / "tmp/pid").string() + "\n");
  launch.checkpoint.cleaning = {"/bin/sh", "-c", "echo $0 > " + (place / "tmp/cleaned").string(),
                                "$job_pid"};
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  const auto answer = helper->answer(about(HelperVerb::launch));
  ASSERT_EQ(answer.reply.refusal, "");
  ASSERT_TRUE(end_of(answer).record);
  EXPECT_NE(content_at(place / "tmp/pid"), "");
  EXPECT_EQ(content_at(place / "tmp/cleaned"), content_at(place / "tmp/pid"));
}

// O6.17, O6.20.
TEST_F(GivenAHelper, WhenATaskMovesThenItIsSavedAndNothingIsCleaned) {
  saved_by_signal();
  launch.checkpoint.migration = {"/bin/sh", "-c", "kill -KILL $0", "$job_pid"};
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  const auto answer = helper->answer(about(HelperVerb::launch));
  ASSERT_EQ(answer.reply.refusal, "");
  ::usleep(500'000);
  auto order = about(HelperVerb::control);
  order.command = "m";
  EXPECT_EQ(refusal_of(order), "");
  const auto progress = end_of(answer);
  ASSERT_TRUE(progress.record);
  EXPECT_EQ(progress.record->failed, failed::killed);
  EXPECT_GT(progress.record->checkpoint_pid, 0);
  EXPECT_FALSE(fs::exists(place / "tmp/cleaned"));
}

TEST_F(GivenAHelper, WhenTheMasterHasSignedALongerLimitThenTheTaskRunsOn) {
  script("sleep 3; exit 3\n");
  launch.job.tasks.front().limit = Duration{1};
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  const auto answer = helper->answer(about(HelperVerb::launch));
  ASSERT_EQ(answer.reply.refusal, "");
  EXPECT_EQ(refusal_of(longer(60)), "");
  const auto progress = end_of(answer);
  ASSERT_TRUE(progress.record);
  EXPECT_EQ(progress.record->failed, failed::none) << progress.record->reason;
  EXPECT_EQ(progress.record->exit_status, 3);
  EXPECT_EQ(refusal_of(about(HelperVerb::remove)), "");
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(GivenAHelper, WhenALongerLimitIsNotWhatTheMasterSignedForThisTaskThenItStays) {
  script("sleep 3\n");
  launch.job.tasks.front().limit = Duration{1};
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  const auto answer = helper->answer(about(HelperVerb::launch));
  auto asked = longer(60);
  asked.warrant.content.back() ^= 1;
  EXPECT_NE(refusal_of(asked).find("was not signed"), std::string::npos);
  asked = longer(60), asked.attempt.attempt = 2;
  EXPECT_NE(refusal_of(asked).find("another task"), std::string::npos);
  asked = longer(60);
  now_ms += 60'000;
  EXPECT_NE(refusal_of(asked).find("too old"), std::string::npos);
  asked = longer(0);
  EXPECT_NE(refusal_of(asked), "");
  // Whoever reaches the socket may say so; the file is the helper's.
  for (std::size_t i = 0; i < answer.files.size(); ++i)
    if (answer.reply.files[i] == "connection") {
      EXPECT_EQ(::write(answer.files[i], "l", 1), 1);
    }
  const auto progress = end_of(answer);
  ASSERT_TRUE(progress.record);
  EXPECT_EQ(progress.record->failed, failed::run_time_limit);
}

TEST_F(GivenAHelper, WhenALongerLimitIsShownAgainThenItIsRefused) {
  script("sleep 1\n");
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  const auto answer = helper->answer(about(HelperVerb::launch));
  const auto asked = longer(60);
  EXPECT_EQ(refusal_of(asked), "");
  EXPECT_NE(refusal_of(asked).find("used before"), std::string::npos);
  end_of(answer);
}

TEST_F(GivenAHelper, WhenATaskWasNotPreparedThenItIsNotLaunchedAndNoneTwice) {
  EXPECT_NE(refusal_of(about(HelperVerb::launch)), "");
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  end_of(helper->answer(about(HelperVerb::launch)));
  const auto once = content_at(folder() / "progress");
  EXPECT_NE(refusal_of(about(HelperVerb::launch)), "");
  EXPECT_EQ(content_at(folder() / "progress"), once);
  helper = make_helper();
  EXPECT_NE(refusal_of(about(HelperVerb::launch)), "");
}

TEST_F(GivenAHelper, WhenAStepIsOfAUserThatThereIsNotThenNothingIsLaunched) {
  launch.prolog = "nosuchuser@/bin/true";
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  EXPECT_NE(refusal_of(about(HelperVerb::launch)).find("nosuchuser"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder() / "progress"));
}

TEST_F(GivenAHelper, WhenThereIsNoSuchTaskThenNothingIsDoneToIt) {
  fs::create_directory(place / "spool/other");
  for (const auto verb : {HelperVerb::control, HelperVerb::launch}) {
    EXPECT_NE(refusal_of(about(verb)), "");
    EXPECT_NE(refusal_of(about(verb, 1)), "");
    EXPECT_NE(refusal_of(about(verb, -1)), "");
  }
  EXPECT_FALSE(told(about(HelperVerb::adopt)).known);
  EXPECT_EQ(refusal_of(about(HelperVerb::remove)), "") << "it is gone already";
  EXPECT_NE(refusal_of(HelperRequest{}), "");
}

TEST_F(GivenAHelper, WhenItWasKilledWhileATaskWasLaidOutThenTheTaskIsNotKnown) {
  fs::create_directory(folder());
  ::chmod(folder().c_str(), 0700);
  EXPECT_FALSE(told(about(HelperVerb::adopt)).known);
  EXPECT_EQ(refusal_of(about(HelperVerb::remove)), "");
  EXPECT_TRUE(nothing_is_there());
}

TEST_F(GivenAHelper, WhenATaskIsRemovedThenItsTemporaryFolderIsAlsoByAHelperThatWasStartedAgain) {
  for (const bool again : {false, true}) {
    ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
    EXPECT_FALSE(fs::is_empty(place / "tmp/almanac-test"));
    auto shown = about(HelperVerb::adopt);
    shown.warrant = request.warrant, shown.signature = request.signature;
    if (again) helper = make_helper(), told(shown);
    EXPECT_EQ(refusal_of(about(HelperVerb::remove)), "");
    EXPECT_TRUE(fs::is_empty(place / "tmp/almanac-test"));
    EXPECT_FALSE(fs::exists(folder()));
  }
}

// The number of a process that has ended may be another's by now: no number that is written down is
// used to end anything.
TEST_F(GivenAHelper, WhenAShepherdsNumberIsAnothersThenThatOneIsLeftAlone) {
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  end_of(helper->answer(about(HelperVerb::launch)));
  const auto other = ::fork();
  if (other == 0)
    for (;;) ::pause();
  auto text = content_at(folder() / "progress");
  ASSERT_TRUE(text.starts_with("shepherd "));
  text.replace(0, text.find('\n'), "shepherd " + std::to_string(other));
  std::ofstream(folder() / "progress") << text;
  auto end = about(HelperVerb::control);
  for (const char* command : {"k", "end"}) {
    end.command = command;
    EXPECT_EQ(told(end).refusal.empty(), end.command == "end");
  }
  EXPECT_EQ(refusal_of(about(HelperVerb::remove)), "");
  siginfo_t facts{};
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(other), &facts, WEXITED | WNOHANG | WNOWAIT), 0);
  EXPECT_EQ(facts.si_pid, 0) << "it lives";
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
}

TEST_F(GivenAHelper, WhenALinkLiesWhereATaskGoesThenItIsNotFollowed) {
  fs::create_directory(place / "elsewhere");
  fs::create_directory_symlink(place / "elsewhere", folder());
  EXPECT_NE(refusal_of(prepare_with(warrant())), "");
  EXPECT_NE(refusal_of(about(HelperVerb::control)), "");
  EXPECT_FALSE(told(about(HelperVerb::adopt)).known);
  EXPECT_EQ(refusal_of(about(HelperVerb::remove)), "");
  EXPECT_TRUE(fs::is_empty(place / "elsewhere"));
}

TEST_F(GivenAHelper, WhenARequestIsCutOrNoneThenItIsRefused) {
  const auto text = print_fields(prepare_with(warrant()), request_format);
  for (std::size_t size = 0; size < text.size(); size += 7)
    EXPECT_NE(helper->answer(text.substr(0, size)).reply.refusal, "") << size;
  EXPECT_NE(helper->answer(text + "x").reply.refusal, "");
  EXPECT_NE(helper->answer(std::string(100'000, '\0')).reply.refusal, "");
  EXPECT_TRUE(nothing_is_there());
  EXPECT_EQ(helper->answer(text).reply.refusal, "");
}
