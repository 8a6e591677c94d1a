// Signed orders between the two ends of a session.
#include "actors/session/session_orders.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

// Two ends that have shaken hands: an agent has called the master.
class GivenTwoEndsOfASession : public ::testing::Test {
public:
  SigningKey master_key = SigningKey::generate(), agent_key = SigningKey::generate();
  SignedTicket ticket = sign_ticket(master_key, "cell", "h1", agent_key.public_key(), 0);
  Identity master{"cell", "master", session::Role::master,  master_key,
                  {},     {},       master_key.public_key()};
  Identity agent{"cell",
                 "h1",
                 session::Role::agent,
                 agent_key,
                 ticket.ticket,
                 ticket.signature,
                 master_key.public_key()};
  Handshake calling{agent, random_bytes, "tls"}, called{master, random_bytes, "tls"};
  session::Welcome welcome;
  SessionOrders of_master, of_agent;

  GivenTwoEndsOfASession() {
    const auto challenge = called.challenge(calling.begin(session::Role::master, ""));
    EXPECT_TRUE(called.finish(*calling.answer(*challenge)).ok());
    welcome = called.welcome({7, "store", {}});
    EXPECT_TRUE(calling.enter(welcome).ok());
  }
  void open() {
    of_master.open(Listener::master, master, called, welcome);
    of_agent.open(Listener::agent, agent, calling, welcome);
  }
};

const session::Message forget = session::Forget{Attempt{3, 0, 1}};

} // namespace

TEST_F(GivenTwoEndsOfASession, WhenTheyAreOpenThenTheMasterOrdersAndTheAgentObeysOnce) {
  open();
  const auto order = of_master.sign(forget);
  ASSERT_TRUE(order);
  const auto& signed_order = std::get<session::SignedOrder>(*order);
  const auto read = of_agent.read(signed_order);
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_TRUE(std::holds_alternative<session::Forget>(*read));
  EXPECT_FALSE(of_agent.read(signed_order).ok()) << "it was given before";
  EXPECT_FALSE(of_agent.sign(forget)) << "who obeys gives none";
}

TEST_F(GivenTwoEndsOfASession, WhenOneIsShutThenItGivesNoOrders) {
  EXPECT_FALSE(of_master.is_open());
  EXPECT_FALSE(of_master.sign(forget));
  open();
  EXPECT_TRUE(of_master.is_open() && of_agent.is_open());
  of_master.shut(), of_agent.shut();
  EXPECT_FALSE(of_master.is_open() || of_agent.is_open());
  EXPECT_FALSE(of_master.sign(forget));
}

TEST_F(GivenTwoEndsOfASession, WhenTheyMeanDifferentTermsThenNothingIsObeyed) {
  of_master.open(Listener::master, master, called, welcome);
  welcome.term = {8};
  of_agent.open(Listener::agent, agent, calling, welcome);
  EXPECT_FALSE(of_agent.read(std::get<session::SignedOrder>(*of_master.sign(forget))).ok());
}

TEST(GivenTheTableOfASession, WhenWhoGivesOrdersIsAskedThenItIsTheMasterAndAnAgentThatHasCalled) {
  EXPECT_TRUE(gives_orders(Listener::master));
  EXPECT_TRUE(gives_orders(Listener::caller));
  EXPECT_FALSE(gives_orders(Listener::agent));
  EXPECT_FALSE(gives_orders(Listener::called));
}
