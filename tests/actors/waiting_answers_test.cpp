// Answers that wait for a host's session, and accounts that are looked up for its users.
#include "actors/master/known_accounts.hpp"
#include "actors/master/waiting_answers.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>

#include <gtest/gtest.h>

using namespace almanac;

namespace {

std::shared_ptr<EncodedFrames> frames(std::size_t count) {
  std::vector<door::ReplyBody> bodies(count, door::ReplyBody(door::Busy{1}));
  return std::make_shared<EncodedFrames>(ready_frames(std::move(bodies)));
}

int asked = 0;
Vouched ask(Caller caller) {
  ++asked;
  return {std::move(caller), ""};
}

} // namespace

TEST(GivenNoAnswerThatWaits, WhenAShortOneComesThenItGoesAtOnce) {
  WaitingAnswers answers;
  const auto frame = answers.take({7, "short", true, nullptr}).at_once;
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->connection, 7);
  EXPECT_EQ(frame->content, "short");
  EXPECT_TRUE(answers.empty());
}

TEST(GivenALongAnswer, WhenAnotherComesForItsConnectionThenThatWaitsAndTheOthersDoNot) {
  WaitingAnswers answers;
  EXPECT_TRUE(answers.take({7, "first", false, frames(2)}).is_next);
  const auto second = answers.take({7, "second", true, nullptr});
  EXPECT_FALSE(second.at_once || second.is_next);
  EXPECT_TRUE(answers.take({8, "other", true, nullptr}).at_once);
  std::vector<std::string> contents;
  while (!answers.empty())
    contents.push_back(std::get<WaitingAnswers::Frame>(answers.next()).content);
  ASSERT_EQ(contents.size(), 4u);
  EXPECT_EQ(contents.front(), "first");
  EXPECT_EQ(contents.back(), "second");
}

TEST(GivenALongAnswer, WhenSomebodyElseMakesItsFramesThenEachIsAskedForAndTheOthersWait) {
  caf::actor_system_config config;
  caf::actor_system system(config);
  const auto maker = caf::actor_cast<caf::strong_actor_ptr>(
      system.spawn([](caf::event_based_actor*) -> caf::behavior { return {[](int) {}}; }));
  WaitingAnswers answers;
  EXPECT_TRUE(answers.take({7, "first", false, frames(2), maker}).is_next);
  EXPECT_FALSE(answers.take({9, "of another", false, frames(1)}).is_next);
  EXPECT_EQ(std::get<WaitingAnswers::Frame>(answers.next()).content, "first");
  const auto wanted = std::get<WaitingAnswers::Wanted>(answers.next());
  EXPECT_EQ(wanted.frame.connection, 7);
  EXPECT_TRUE(wanted.frame.rest);
  EXPECT_FALSE(answers.take({8, "short", true, nullptr}).is_next);
  EXPECT_TRUE(answers.take({7, "second", true, nullptr}).is_next) << "its maker has made it";
  EXPECT_EQ(std::get<WaitingAnswers::Frame>(answers.next()).content, "second");
  EXPECT_EQ(std::get<WaitingAnswers::Frame>(answers.next()).connection, 9);
  caf::anon_send_exit(maker, caf::exit_reason::kill);
}

TEST(GivenManyAnswersThatWait, WhenAnotherComesThenItsReaderIsToldToComeAgain) {
  WaitingAnswers answers;
  std::int64_t connection = 0;
  while (!answers.take({++connection, "long", false, frames(1)}).at_once)
    ASSERT_LT(connection, 1000);
  EXPECT_EQ(answers.size(), static_cast<std::size_t>(connection) - 1);
}

TEST(GivenAccounts, WhenAUserComesAgainWithinTenSecondsThenNobodyIsAsked) {
  KnownAccounts accounts;
  Caller user;
  user.user = "ann";
  asked = 0;
  EXPECT_EQ(accounts.find(user, ask, Instant{100}).caller.user, "ann");
  accounts.find(user, ask, Instant{109});
  EXPECT_EQ(asked, 1);
  accounts.find(user, ask, Instant{110});
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(accounts.find(user, nullptr, Instant{130}).caller.user, "ann") << "it is believed";
}
