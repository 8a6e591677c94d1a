// Which warrants a helper accepts.
#include "tests/agent/asked_helper_fixture.hpp"

#include <set>

using namespace almanac;

using GivenAHelper = AskedHelperFixture;

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
