// Where a session stands in its table.
#include "actors/session/conversation.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenAConversation, WhenItBeginsThenWhoWasCalledWaitsForAHelloAndWhoCallsForAChallenge) {
  const auto of_master = Conversation::called(session::Role::master);
  EXPECT_EQ(of_master.listener(), Listener::master);
  EXPECT_EQ(of_master.stage(), Stage::hello);
  EXPECT_EQ(Conversation::called(session::Role::agent).listener(), Listener::called);
  const auto of_agent = Conversation::calling(session::Role::master);
  EXPECT_EQ(of_agent.listener(), Listener::agent);
  EXPECT_EQ(of_agent.stage(), Stage::challenge);
  EXPECT_EQ(Conversation::calling(session::Role::agent).listener(), Listener::caller);
}

TEST(GivenAConversation, WhenWhoHasCalledIsLetInThenTheMasterWaitsForTheListAndAnAgentForNothing) {
  auto of_master = Conversation::called(session::Role::master);
  EXPECT_TRUE(of_master.hear(session::Hello{}).ok());
  EXPECT_TRUE(of_master.hear(session::Proof{}).ok());
  EXPECT_EQ(of_master.stage(), Stage::admission);
  EXPECT_FALSE(of_master.hear(session::Register{}).ok()) << "it is not known who that is";
  of_master.admit();
  EXPECT_EQ(of_master.stage(), Stage::list);
  EXPECT_TRUE(of_master.hear(session::Register{}).ok());
  EXPECT_EQ(of_master.stage(), Stage::open);
  auto of_called = Conversation::called(session::Role::agent);
  of_called.admit();
  EXPECT_EQ(of_called.stage(), Stage::open);
}

TEST(GivenAConversation, WhenWhatIsSaidIsNotAllowedOrMakesNoSenseThenItStandsWhereItStood) {
  auto conversation = Conversation::called(session::Role::agent);
  EXPECT_EQ(conversation.hear(session::Proof{}).what(),
            "it sent Proof, which no called may hear in stage hello");
  EXPECT_EQ(conversation.stage(), Stage::hello);
  conversation.admit();
  session::PeerStart start;
  EXPECT_FALSE(conversation.hear_order(start).ok()) << "a command is missing";
  start.command = {"date"};
  EXPECT_FALSE(conversation.hear(start).ok()) << "it is no signed order";
  EXPECT_TRUE(conversation.hear_order(start).ok());
  EXPECT_EQ(conversation.stage(), Stage::open);
}

TEST(GivenAConversation, WhenWhoHasCalledIsRefusedThenNothingIsHeard) {
  auto conversation = Conversation::called(session::Role::agent);
  conversation.refuse();
  EXPECT_FALSE(conversation.hear(session::Hello{}).ok());
  EXPECT_EQ(conversation.stage(), Stage::refused);
}
