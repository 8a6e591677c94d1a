// Calls: further processes of a task (qrsh -inherit), and hooks of reservations.
#include "tests/agent/asked_helper_fixture.hpp"

using namespace almanac;

using GivenAHelper = AskedHelperFixture;

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
