#include "actors/session/channel.hpp"
#include "actors/trust/order.hpp"
#include "schema/codec.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <random>

using namespace almanac;

namespace {

struct Cell {
  SigningKey master_key = SigningKey::generate();
  Identity master{"cell", "master", session::Role::master,  master_key,
                  {},     {},       master_key.public_key()};

  Identity agent(const std::string& name, const std::string& cell = "cell") const {
    const auto key = SigningKey::generate();
    const auto ticket = sign_ticket(master_key, cell, name, key.public_key());
    return {cell,
            name,
            session::Role::agent,
            key,
            ticket.ticket,
            ticket.signature,
            master_key.public_key()};
  }
};

// The reason of the first refusal, or "" when both sides are sure of each other.
std::string shake(const Identity& initiator, const Identity& acceptor, session::Role role,
                  const std::string& name = "") {
  Handshake one(initiator, random_bytes), two(acceptor, random_bytes);
  auto challenge = two.challenge(one.begin(role, name));
  if (!challenge) return challenge.what();
  auto proof = one.answer(*challenge);
  if (!proof) return proof.what();
  auto finished = two.finish(*proof);
  return finished ? "" : finished.what();
}

} // namespace

TEST(GivenACell, WhenItsMembersMeetThenTheyBelieveEachOther) {
  const Cell cell;
  EXPECT_EQ(shake(cell.agent("h1"), cell.master, session::Role::master), "");
  EXPECT_EQ(shake(cell.agent("h1"), cell.agent("h2"), session::Role::agent, "h2"), "");
}

TEST(GivenACell, WhenSomebodyPretendsThenTheReasonIsNamed) {
  const Cell cell, other;
  auto liar = cell.agent("h1");
  liar.name = "h2";
  EXPECT_NE(shake(liar, cell.master, session::Role::master).find("the ticket is that of agent h1"),
            std::string::npos);
  EXPECT_NE(shake(other.agent("h1"), cell.master, session::Role::master)
                .find("was not signed by the master of this cell"),
            std::string::npos);
  auto thief = cell.agent("h1");
  thief.key = SigningKey::generate();
  EXPECT_NE(shake(thief, cell.master, session::Role::master).find("can't prove its name"),
            std::string::npos);
  auto stranger = other.agent("h1", "another");
  EXPECT_NE(shake(stranger, cell.master, session::Role::master).find("this is cell \"cell\""),
            std::string::npos);
  EXPECT_NE(shake(cell.agent("h1"), other.master, session::Role::master), "")
      << "another cell's master is not believed";
  EXPECT_NE(shake(cell.agent("h1"), cell.agent("h2"), session::Role::master), "")
      << "an agent is no master";
  EXPECT_NE(shake(cell.agent("h1"), cell.agent("h2"), session::Role::agent, "h3"), "");
}

TEST(GivenAnOrder, WhenItIsNotWhatWasSignedThenItIsRefused) {
  const Cell cell;
  const auto agent = cell.agent("h1");
  session::Launch order;
  order.attempt = {1, 0, 1};
  order.job.owner.user = "alice", order.job.owner.uid = 1001;
  order.script.content = "echo";
  order.parts = {{"h1", "all.q@h1", 1, "", "/tmp", {}}};
  const auto sign = [&](session::Credential credential) {
    order.credential.content = encode(credential);
    order.signature.content = cell.master_key.sign("almanac-order" + order.credential.content);
  };
  const session::Credential good{"store", 1, {1, 0, 1},      "alice", 1001,
                                 {"h1"},  1, sha256("echo"), {1000}};
  sign(good);
  EXPECT_TRUE(check_order(agent, order, {999}).ok());
  EXPECT_NE(check_order(agent, order, {1001}).what().find("expired"), std::string::npos);
  EXPECT_FALSE(check_order(cell.agent("h2"), order, {999}).ok());
  auto forged = order;
  forged.signature.content[3] ^= 1;
  EXPECT_NE(check_order(agent, forged, {999}).what().find("not signed"), std::string::npos);
  auto changed = order;
  changed.script.content = "rm";
  EXPECT_FALSE(check_order(agent, changed, {999}).ok());
  changed = order;
  changed.job.owner.user = "root", changed.job.owner.uid = 0;
  EXPECT_FALSE(check_order(agent, changed, {999}).ok());
  changed = order;
  changed.parts.push_back({"h2", "all.q@h2", 1, "", "/tmp", {}});
  EXPECT_FALSE(check_order(agent, changed, {999}).ok());
}

// Whatever the link loses, doubles and reorders: all arrives once and in order.
RC_GTEST_PROP(GivenABadLink, WhenMessagesAreSaidThenTheyAreHeardOnceAndInOrder, ()) {
  Channel near, far;
  std::deque<Packet> there, back;
  const auto count = *rc::gen::inRange(1, 40);
  std::vector<std::string> heard;
  int said = 0;
  std::mt19937 chance(*rc::gen::arbitrary<unsigned>());
  const auto send = [&](std::deque<Packet>& link, std::vector<Packet> packets) {
    for (auto& packet : packets) {
      const auto fate = chance() % 4;
      if (fate == 0) continue;
      link.push_back(packet);
      if (fate == 1) link.push_front(packet);
    }
  };
  for (int round = 0;
       round < 5000 && (said < count || heard.size() < static_cast<std::size_t>(count)); ++round) {
    if (said < count) send(there, near.say(std::to_string(said++)));
    send(there, near.beat());
    send(back, far.beat());
    while (!there.empty()) {
      for (auto& content : far.hear(there.front())) heard.push_back(std::move(content));
      there.pop_front();
    }
    while (!back.empty()) {
      near.hear(back.front());
      back.pop_front();
      send(there, near.released());
    }
  }
  RC_ASSERT(heard.size() == static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    RC_ASSERT(heard[static_cast<std::size_t>(i)] == std::to_string(i));
}
