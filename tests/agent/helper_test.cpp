#include "tests/agent/helper_fixture.hpp"

#include "agent/shepherd/bound_cores.hpp"
#include "core/job/exit_record.hpp"

#include <csignal>
#include <poll.h>
#include <set>
#include <sys/wait.h>

using namespace almanac;

namespace {

// A helper that is asked in this process.
class GivenAHelper : public HelperFixture {
protected:
  GivenAHelper() { helper = make_helper(); }

  std::unique_ptr<Helper> make_helper() {
    auto settings = helper_settings();
    settings.clock = [this] { return now_ms; };
    return std::make_unique<Helper>(settings, task_places(), spool, nullptr);
  }

  Warrant warrant() { return warrant_naming(helper->nonce()); }
  // What the network half sends on.
  HelperRequest prepare_with(const Warrant& warrant) {
    request.verb = HelperVerb::prepare;
    request.script = launch.script;
    request.warrant.content = print_warrant(warrant);
    request.signature.content = masters_signature(request.warrant.content);
    return request;
  }
  std::string refusal_of(const HelperRequest& asked) { return told(asked).refusal; }
  HelperReply told(const HelperRequest& asked) {
    auto answer = helper->answer(asked);
    for (const int file : answer.files) ::close(file);
    return answer.reply;
  }
  HelperRequest about(HelperVerb verb, std::int64_t call = 0) {
    HelperRequest asked;
    asked.verb = verb, asked.attempt = launch.attempt, asked.call = call;
    return asked;
  }
  // A limit of the task, as the master signs it.
  HelperRequest longer(std::int64_t seconds) {
    const LimitWarrant limit{"n1", {helper->nonce()}, ++number, "store",
                             {1},  launch.attempt,    seconds};
    auto asked = about(HelperVerb::prolong);
    asked.warrant.content = print_limit(limit);
    asked.signature.content = masters_key().sign(limit_label + asked.warrant.content);
    return asked;
  }
  // A process of qrsh -inherit, as the agent of the task's first host orders it.
  HelperRequest call_with(const CallOrder& call, const SigningKey& key) {
    auto asked = about(HelperVerb::launch, call.number);
    asked.words = call.words, asked.environment = call.environment;
    asked.directory = call.directory, asked.input = call.input;
    asked.signature.content = key.sign(print_call(call));
    return asked;
  }
  CallOrder call_of(std::int64_t number) const {
    return {"n1", launch.attempt, number, {"exit 5"}, {{"A", "1"}}, "/", false};
  }
  void prepare_for_calls() {
    launch.control_slaves = true;
    ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  }
  // A job of a checkpointing environment.
  void saved_by_signal() {
    script("trap 'exit 7' USR1\nwhile :; do sleep 0.05; done\n");
    launch.job.request.edit().checkpoint = "own";
    auto& plan = launch.checkpoint;
    plan.is_asked_for = plan.at_shutdown = plan.at_move = true;
    plan.signal = SIGUSR1, plan.longest = 60;
    plan.cleaning = {"/usr/bin/touch", (place / "tmp/cleaned").string()};
  }
  bool nothing_is_there() const { return fs::is_empty(place / "tmp") && !fs::exists(folder()); }
  // Until the shepherd has ended.
  TaskProgress end_of(const Helper::Answer& answer) {
    for (std::size_t i = 0; i < answer.files.size(); ++i) {
      if (answer.reply.files[i] == "connection") wait_for_end(answer.files[i]);
      ::close(answer.files[i]);
    }
    ::waitpid(-1, nullptr, 0);
    return progress();
  }
  static void wait_for_end(int connection) {
    char text[64];
    pollfd file{connection, POLLIN, 0};
    while (::poll(&file, 1, 10'000) == 1 && ::read(connection, text, sizeof text) > 0) {
    }
  }

  std::int64_t now_ms = 1'000'000;
  HelperRequest request;
  std::unique_ptr<Helper> helper;
};

} // namespace

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

TEST_F(GivenAHelper, WhenAnyBitOfTheWarrantIsAnotherThenNothingHappens) {
  const auto good = prepare_with(warrant());
  for (std::size_t at = 0; at < good.warrant.content.size(); ++at) {
    auto bad = good;
    bad.warrant.content[at] = static_cast<char>(bad.warrant.content[at] ^ (1 << (at % 8)));
    ASSERT_NE(refusal_of(bad).find("was not signed"), std::string::npos) << at;
  }
  for (std::size_t at = 0; at < good.signature.content.size(); ++at) {
    auto bad = good;
    bad.signature.content[at] = static_cast<char>(bad.signature.content[at] ^ (1 << (at % 8)));
    ASSERT_NE(refusal_of(bad).find("was not signed"), std::string::npos) << at;
  }
  EXPECT_TRUE(nothing_is_there());
  EXPECT_EQ(refusal_of(good), "") << "it was good";
}

TEST_F(GivenAHelper, WhenItWasSignedAsSomethingElseThenItIsRefused) {
  auto asked = prepare_with(warrant());
  for (const char* label : {"", "almanac-order", "almanac-signed-order", "almanac-warrant"}) {
    asked.signature.content = masters_key().sign(label + asked.warrant.content);
    EXPECT_NE(refusal_of(asked).find("was not signed"), std::string::npos) << label;
  }
  asked.signature.content = SigningKey::generate().sign(warrant_label + asked.warrant.content);
  EXPECT_NE(refusal_of(asked).find("was not signed"), std::string::npos);
  EXPECT_TRUE(nothing_is_there());
}

TEST_F(GivenAHelper, WhenItIsForAnotherHostAnotherLifeOrAnotherScriptThenItIsRefused) {
  auto other = warrant();
  other.host = "n2";
  EXPECT_NE(refusal_of(prepare_with(other)).find("for the host n2"), std::string::npos);
  other = warrant(), other.nonce.content.back() ^= 1;
  EXPECT_NE(refusal_of(prepare_with(other)).find("started again"), std::string::npos);
  other = warrant(), other.number = 0;
  EXPECT_NE(refusal_of(prepare_with(other)), "");
  auto asked = prepare_with(warrant());
  for (const char* text : {"", "exit 4\n", "exit 3\n\n"}) {
    asked.script.content = text;
    EXPECT_NE(refusal_of(asked).find("another script"), std::string::npos) << text;
  }
  EXPECT_TRUE(nothing_is_there());
}

TEST_F(GivenAHelper, WhenItIsUsedAgainThenItIsRefusedAlsoAfterTheTaskIsGone) {
  const auto first = prepare_with(warrant()), second = prepare_with(warrant());
  ASSERT_EQ(refusal_of(first), "");
  EXPECT_NE(refusal_of(first).find("used before"), std::string::npos);
  EXPECT_NE(refusal_of(second).find("was here before"), std::string::npos) << "while it is here";
  EXPECT_EQ(refusal_of(about(HelperVerb::remove)), "");
  EXPECT_NE(refusal_of(first).find("used before"), std::string::npos);
  EXPECT_NE(refusal_of(second).find("used before"), std::string::npos) << "one that failed is used";
  auto next = warrant();
  next.term = {2}, next.number = 1;
  EXPECT_EQ(refusal_of(prepare_with(next)), "") << "a master that was started again counts anew";
  helper = make_helper();
  EXPECT_NE(refusal_of(first).find("started again"), std::string::npos);
}

TEST_F(GivenAHelper, WhenAWarrantIsHeldBackThenItIsRefusedAndNobodyIsBlamed) {
  const auto first = helper->nonce();
  const auto held_back = prepare_with(warrant());
  now_ms += 59'000;
  const auto in_time = prepare_with(warrant());
  EXPECT_NE(helper->nonce(), first);
  now_ms += 1'000;
  const auto reply = told(held_back);
  EXPECT_NE(reply.refusal.find("too old"), std::string::npos) << reply.refusal;
  EXPECT_EQ(reply.failed, failed::rescheduled);
  EXPECT_FALSE(reply.user_fault);
  EXPECT_EQ(reply.nonce.content, helper->nonce()) << "so that the next one is in time";
  EXPECT_TRUE(nothing_is_there());
  EXPECT_EQ(refusal_of(in_time), "") << "on its way for a second";
}

TEST_F(GivenAHelper, WhenTheLaunchOfWhatWasPreparedIsHeldBackThenItIsRefused) {
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  now_ms += 60'000;
  const auto reply = told(about(HelperVerb::launch));
  EXPECT_NE(reply.refusal.find("too old"), std::string::npos) << reply.refusal;
  EXPECT_EQ(reply.failed, failed::rescheduled);
  EXPECT_NE(refusal_of(about(HelperVerb::launch)).find("not to be launched"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder() / "progress"));
}

TEST_F(GivenAHelper, WhenSecondsPassThenAnotherNonceIsGivenOutWithWhateverIsAsked) {
  std::set<std::string> nonces;
  for (int second = 0; second < 100; ++second, now_ms += 1'000) {
    nonces.insert(told(about(HelperVerb::adopt)).nonce.content);
    EXPECT_EQ(nonces.count(helper->nonce()), 1u);
  }
  EXPECT_EQ(nonces.size(), 20u);
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

TEST_F(GivenAHelper, WhenTheOwnerIsNobodyHereOrAnotherThenItIsRefused) {
  launch.job.owner.uid += 1;
  auto reply = told(prepare_with(warrant()));
  EXPECT_NE(reply.refusal.find("has the uid"), std::string::npos) << reply.refusal;
  EXPECT_TRUE(reply.user_fault);
  launch.job.owner.user = "no such user";
  EXPECT_NE(refusal_of(prepare_with(warrant())).find("is not known"), std::string::npos);
  EXPECT_TRUE(nothing_is_there());
}

// It holds the agent's keys, and on the master's host perhaps those of the cell.
TEST_F(GivenAHelper, WhenAJobIsOfTheAgentsOwnUserThenItIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root runs jobs of others";
  auto settings = helper_settings();
  settings.clock = [this] { return now_ms; }, settings.own_uid = launch.job.owner.uid;
  helper = std::make_unique<Helper>(settings, task_places(), spool, nullptr);
  EXPECT_NE(refusal_of(prepare_with(warrant())).find("user of the agent"), std::string::npos);
  EXPECT_TRUE(nothing_is_there());
}

TEST_F(GivenAHelper, WhenAStepIsOfAUserThatThereIsNotThenNothingIsLaunched) {
  launch.prolog = "nosuchuser@/bin/true";
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  EXPECT_NE(refusal_of(about(HelperVerb::launch)).find("nosuchuser"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder() / "progress"));
}

// Whoever has signed it: a system reads no further than to a zero byte.
TEST_F(GivenAHelper, WhenAWarrantHasAZeroByteThatIsNoMarkThenNothingIsLaunched) {
  const std::string zero("x\0", 2);
  for (auto Warrant::*const field :
       {&Warrant::user, &Warrant::tmpdir, &Warrant::task_name, &Warrant::pe_hostfile}) {
    auto bad = warrant();
    bad.*field += zero;
    EXPECT_NE(refusal_of(prepare_with(bad)).find("no task"), std::string::npos);
  }
  EXPECT_TRUE(nothing_is_there());
  auto bad = warrant();
  bad.order.job.environment.push_back({"A", zero});
  ASSERT_EQ(refusal_of(prepare_with(bad)), "");
  EXPECT_NE(refusal_of(about(HelperVerb::launch)).find("zero byte"), std::string::npos);
}

TEST_F(GivenAHelper, WhenAWarrantNamesSomebodyElseForTheJobsProcessThenItIsStillTheOwners) {
  auto odd = warrant();
  odd.order.job.as.user = "nosuchuser";
  ASSERT_EQ(refusal_of(prepare_with(odd)), "");
  EXPECT_TRUE(end_of(helper->answer(about(HelperVerb::launch))).record);
}

TEST_F(GivenAHelper, WhenAWarrantIsOfAnotherVersionThenItIsRefused) {
  for (const auto version : {oldest_warrant_version - 1, warrant_version + 1}) {
    auto asked = prepare_with(warrant());
    asked.warrant.content.replace(0, warrant_format().size(), warrant_format(version));
    asked.signature.content = masters_key().sign(warrant_label + asked.warrant.content);
    EXPECT_NE(refusal_of(asked).find("format"), std::string::npos) << version;
  }
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

TEST_F(GivenAHelper, WhenATaskMayHaveNoOtherProcessesThenACallIsRefused) {
  ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  const auto call = call_with(call_of(1), agents_key);
  EXPECT_NE(refusal_of(call).find("no processes beside its own"), std::string::npos);
  ASSERT_EQ(refusal_of(about(HelperVerb::remove)), "");
  prepare_for_calls();
  for (const std::int64_t bad : {std::int64_t(-1), INT64_MIN})
    EXPECT_NE(refusal_of(call_with(call_of(bad), agents_key)), "") << bad;
  const auto answer = helper->answer(call);
  ASSERT_EQ(answer.reply.refusal, "");
  EXPECT_EQ(answer.reply.files,
            (std::vector<std::string>{"connection", "progress", "output", "error"}));
  end_of(answer);
  EXPECT_NE(content_at(folder() / "calls/1/progress").find("exit_status 5"), std::string::npos)
      << content_at(folder() / "calls/1/progress");
}

// As qrsh of Grid Engine and ssh have it: Open MPI writes its words for this shell.
TEST_F(GivenAHelper, WhenACallHasSeveralWordsThenTheShellReadsThemAsOneLine) {
  prepare_for_calls();
  auto order = call_of(3);
  order.words = {" exit", "\"4\""};
  end_of(helper->answer(call_with(order, agents_key)));
  EXPECT_NE(content_at(folder() / "calls/3/progress").find("exit_status 4"), std::string::npos)
      << content_at(folder() / "calls/3/progress");
}

// The half that talks is believed in nothing: not even what a job's own user has asked for.
TEST_F(GivenAHelper, WhenACallIsNotWordForWordWhatTheFirstHostOrderedThenNothingIsRun) {
  prepare_for_calls();
  const auto is_refused = [&](const HelperRequest& call) {
    return refusal_of(call).find("not ordered by the agent of n1") != std::string::npos;
  };
  const auto good = call_with(call_of(1), agents_key);
  for (int field = 0; field < 6; ++field) {
    auto bad = good;
    if (field == 0) bad.words = {"exit 6"};
    if (field == 1) bad.environment.push_back({"B", "1"});
    if (field == 2) bad.directory = "/tmp";
    if (field == 3) bad.input = true;
    if (field == 4) bad.call = 2;
    if (field == 5) bad.signature.content.clear();
    EXPECT_TRUE(is_refused(bad)) << field;
  }
  EXPECT_TRUE(is_refused(call_with(call_of(1), SigningKey::generate()))) << "another agent's";
  EXPECT_TRUE(is_refused(call_with(call_of(1), masters_key())));
  auto elsewhere = call_of(1);
  elsewhere.host = "n2";
  EXPECT_TRUE(is_refused(call_with(elsewhere, agents_key))) << "meant for another host";
  elsewhere = call_of(1), elsewhere.attempt.attempt = 2;
  EXPECT_TRUE(is_refused(call_with(elsewhere, agents_key))) << "meant for another task";
  EXPECT_FALSE(fs::exists(folder() / "calls"));
}

TEST_F(GivenAHelper, WhenACallIsOrderedOnceThenItIsRunOnceAlsoByAHelperThatWasStartedAgain) {
  prepare_for_calls();
  const auto call = call_with(call_of(7), agents_key);
  end_of(helper->answer(call));
  EXPECT_NE(refusal_of(call).find("ordered before"), std::string::npos);
  helper = make_helper();
  EXPECT_NE(refusal_of(call).find("is not here"), std::string::npos);
  auto shown = about(HelperVerb::adopt);
  shown.warrant = request.warrant;
  shown.signature.content = SigningKey::generate().sign(warrant_label + shown.warrant.content);
  EXPECT_TRUE(told(shown).known);
  EXPECT_NE(refusal_of(call).find("is not here"), std::string::npos) << "not the master's word";
  shown.signature = request.signature;
  shown.attempt.attempt += 1;
  EXPECT_FALSE(told(shown).known);
  shown.attempt.attempt -= 1;
  EXPECT_TRUE(told(shown).known);
  EXPECT_NE(refusal_of(call).find("ordered before"), std::string::npos);
  EXPECT_NE(refusal_of(about(HelperVerb::launch)).find("not to be launched"), std::string::npos);
  const auto later = helper->answer(call_with(call_of(8), agents_key));
  EXPECT_EQ(later.reply.refusal, "");
  end_of(later);
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

TEST_F(GivenAHelper, WhenTheWarrantNamesNoKeyThenNobodyOrdersCalls) {
  launch.parts.front().key.clear();
  prepare_for_calls();
  EXPECT_NE(refusal_of(call_with(call_of(1), agents_key)), "");
}

// A hook of a reservation (spec/beyond.md B8.12): the master orders it as the first host would.
TEST_F(GivenAHelper, WhenTheFirstHostIsTheMasterThenWhatItOrdersIsRunWithNothingOfAJob) {
  auto hook = warrant();
  hook.first_host = "(master)", hook.first_key = to_hex(masters_key().public_key());
  hook.control_slaves = true;
  hook.order = {}, hook.order.job.directory = "/";
  ASSERT_EQ(refusal_of(prepare_with(hook)), "");
  EXPECT_NE(refusal_of(call_with(call_of(1), agents_key)), "");
  EXPECT_NE(refusal_of(about(HelperVerb::launch)), "") << "it has no process of its own";
  auto call = call_of(2);
  call.words = {"/bin/sh", "-c", "echo \"$A $1 $JOB_ID\"", "sh", "a  b"};
  const auto answer = helper->answer(call_with(call, masters_key()));
  ASSERT_EQ(answer.reply.refusal, "");
  std::string output;
  for (std::size_t i = 0; i < answer.files.size(); ++i)
    if (answer.reply.files[i] == "connection") wait_for_end(answer.files[i]);
  for (std::size_t i = 0; i < answer.files.size(); ++i) {
    char text[64];
    if (answer.reply.files[i] == "output")
      if (const auto size = ::read(answer.files[i], text, sizeof text); size > 0)
        output.assign(text, static_cast<std::size_t>(size));
    ::close(answer.files[i]);
  }
  ::waitpid(-1, nullptr, 0);
  EXPECT_EQ(output, "1 a  b \n");
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
