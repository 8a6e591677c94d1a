#include "actors/session/channel.hpp"
#include "actors/trust/order.hpp"
#include "schema/codec.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <functional>
#include <random>
#include <utility>

using namespace almanac;

namespace {

struct Cell {
  SigningKey master_key = SigningKey::generate();
  Identity master{"cell", "master", session::Role::master,  master_key,
                  {},     {},       master_key.public_key()};

  Identity agent(const std::string& name, const std::string& cell = "cell") const {
    const auto key = SigningKey::generate();
    const auto ticket = sign_ticket(master_key, cell, name, key.public_key(), 0);
    return {cell,
            name,
            session::Role::agent,
            key,
            ticket.ticket,
            ticket.signature,
            master_key.public_key()};
  }
};

// What lies between two sides: may change each message, the first is number 0.
using Between = std::function<session::Message(int number, session::Message)>;
session::Message untouched(int, session::Message message) { return message; }

// The reason of the first refusal, or "" when both sides are sure of each other.
std::string shake(Handshake& one, Handshake& two, session::Role role, const std::string& name = "",
                  const Between& between = untouched) {
  const auto pass = [&]<class T>(int number, T message) {
    return std::get<T>(between(number, std::move(message)));
  };
  auto challenge = two.challenge(pass(0, one.begin(role, name)));
  if (!challenge) return challenge.what();
  auto proof = one.answer(pass(1, *challenge));
  if (!proof) return proof.what();
  auto finished = two.finish(pass(2, *proof));
  if (!finished) return finished.what();
  auto entered = one.enter(pass(3, two.welcome({7, "store", {}})));
  if (!entered) return entered.what();
  EXPECT_EQ(one.session_id(), two.session_id());
  return "";
}
std::string shake(const Identity& initiator, const Identity& acceptor, session::Role role,
                  const std::string& name = "") {
  Handshake one(initiator, random_bytes, ""), two(acceptor, random_bytes, "");
  return shake(one, two, role, name);
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

TEST(GivenACell, WhenTheMasterBeginsThenItIsRefused) {
  const Cell cell;
  EXPECT_NE(shake(cell.master, cell.agent("h1"), session::Role::agent).find("only agents begin"),
            std::string::npos);
}

TEST(GivenTwoChannels, WhenSomebodyRelaysAHandshakeThenItFails) {
  const Cell cell;
  const auto agent = cell.agent("h1");
  const auto meet = [&](const std::string& near, const std::string& far) {
    Handshake one(agent, random_bytes, near), two(cell.master, random_bytes, far);
    return shake(one, two, session::Role::master);
  };
  EXPECT_EQ(meet("one channel", "one channel"), "");
  EXPECT_NE(meet("one channel", "another"), "");
  EXPECT_NE(meet("", "another"), "");
}

TEST(GivenAHandshake, WhenAnyByteOfItIsChangedThenItFails) {
  const Cell cell;
  const auto agent = cell.agent("h1"), other = cell.agent("h2");
  for (const auto* acceptor : {&cell.master, &other})
    for (int message = 0; message < 4; ++message) {
      int changed = 0;
      bool more = true;
      for (std::size_t at = 0; more; ++at) {
        Handshake one(agent, random_bytes, "tls"), two(*acceptor, random_bytes, "tls");
        bool is_other = false;
        const auto reason = shake(one, two, acceptor->role, "", [&](int number, auto said) {
          if (number != message) return said;
          auto bytes = encode(session::Envelope{said});
          more = at + 1 < bytes.size();
          bytes[at] = static_cast<char>(bytes[at] ^ 1);
          auto read = decode<session::Envelope>(bytes);
          // What can't be read, or is another message, ends a session before the handshake sees it.
          if (!read || read->body.index() != said.index()) return said;
          is_other = encode(*read) != encode(session::Envelope{said});
          return read->body;
        });
        changed += is_other;
        if (is_other) {
          EXPECT_NE(reason, "") << "message " << message << " byte " << at;
        }
      }
      EXPECT_GT(changed, 50) << message;
    }
}

namespace {

class GivenAnOrder : public ::testing::Test {
public:
  Cell cell;
  OrderScope scope{"session", "h1", "store", 3};
  OrderCheck check{cell.master_key.public_key(), scope};

  static session::Launch launch() {
    session::Launch order;
    order.attempt = {1, 0, 1};
    order.job.owner.user = "alice", order.job.owner.uid = 1001;
    order.prolog = "root@/usr/bin/prepare";
    return order;
  }
  std::string refusal(const session::SignedOrder& order) {
    const auto opened = check.open(order);
    return opened ? "" : opened.what();
  }
  std::string refusal_of(const OrderScope& other) {
    return refusal(OrderSeal(cell.master_key, other).sign(launch()));
  }
};

} // namespace

TEST_F(GivenAnOrder, WhenItIsForThisHostAndSessionThenItIsTakenOnce) {
  OrderSeal seal(cell.master_key, scope);
  const auto first = seal.sign(launch()), second = seal.sign(session::Forget{{1, 0, 1}});
  const auto opened = check.open(first);
  ASSERT_TRUE(opened.ok()) << opened.what();
  EXPECT_EQ(std::get<session::Launch>(*opened).prolog, "root@/usr/bin/prepare");
  EXPECT_NE(refusal(first).find("given before"), std::string::npos);
  EXPECT_EQ(refusal(second), "");
  EXPECT_NE(refusal(first).find("given before"), std::string::npos) << "nor is a lower number";
}

TEST_F(GivenAnOrder, WhenItWasMeantForSomethingElseThenItIsRefused) {
  auto other = scope;
  other.host = "h2";
  EXPECT_NE(refusal_of(other).find("for host h2"), std::string::npos);
  other = scope, other.session = "the one before";
  EXPECT_NE(refusal_of(other).find("another session"), std::string::npos);
  other = scope, other.store_id = "another";
  EXPECT_NE(refusal_of(other).find("of store another"), std::string::npos);
  other = scope, other.term = {2};
  EXPECT_NE(refusal_of(other).find("term 2"), std::string::npos);
  EXPECT_EQ(refusal_of(scope), "");
}

TEST_F(GivenAnOrder, WhenAnythingOfItIsChangedThenItIsRefused) {
  const auto order = OrderSeal(cell.master_key, scope).sign(launch());
  for (std::size_t at = 0; at < order.order.content.size(); ++at) {
    auto changed = order;
    changed.order.content[at] = static_cast<char>(changed.order.content[at] ^ 1);
    EXPECT_NE(refusal(changed), "") << at;
  }
  EXPECT_NE(refusal(OrderSeal(SigningKey::generate(), scope).sign(launch())), "");
  EXPECT_EQ(refusal(order), "");
}

TEST(GivenAPeer, WhenTheMasterDidNotPutItFirstThenItOrdersNothing) {
  const Cell cell;
  const auto sign = [&](const session::Credential& credential) {
    const auto bytes = encode(credential);
    return std::pair(Bytes{bytes}, Bytes{cell.master_key.sign("almanac-order" + bytes)});
  };
  const Attempt attempt{1, 0, 1};
  const auto sealed =
      sign({"store", 1, attempt, "alice", 1001, {"h1", "h2"}, 2, "", Instant::never()});
  const auto refusal = [&](const std::string& host, const std::string& peer, const Attempt& of) {
    const auto allowed = check_peer(cell.agent(host), peer, of, sealed.first, sealed.second);
    return allowed ? "" : allowed.what();
  };
  EXPECT_EQ(refusal("h2", "h1", attempt), "");
  EXPECT_NE(refusal("h2", "h3", attempt).find("not the first"), std::string::npos);
  EXPECT_NE(refusal("h1", "h2", attempt).find("not the first"), std::string::npos);
  EXPECT_NE(refusal("h3", "h1", attempt).find("no part on host h3"), std::string::npos);
  EXPECT_NE(refusal("h2", "h1", {1, 0, 2}).find("another attempt"), std::string::npos);
  const Cell other;
  EXPECT_FALSE(check_peer(other.agent("h2"), "h1", attempt, sealed.first, sealed.second).ok());
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
