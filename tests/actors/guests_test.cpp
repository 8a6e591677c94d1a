// Agents that have called another one.
#include "actors/agent/guests.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

class GivenAGuest : public ActorFixture {
public:
  SigningKey master = SigningKey::generate();
  Identity agent{"cell", "h2", session::Role::agent, SigningKey::generate(),
                 {},     {},   master.public_key()};
  Partner session = partner();
  Guests guests;

  GivenAGuest() { guests.add({session.pointer(), 4, "h1", {}}); }

  session::PeerClear order(const Attempt& attempt, std::vector<std::string> hosts) const {
    const session::Credential credential{"store",          1, attempt, "alice",         1001,
                                         std::move(hosts), 2, "",      Instant::never()};
    const auto bytes = encode(credential);
    return {attempt, {bytes}, {master.sign("almanac-order" + bytes)}};
  }
};

} // namespace

TEST_F(GivenAGuest, WhenItOrdersThenOnlyTheFirstHostOfATaskMay) {
  EXPECT_TRUE(guests.may_order(agent, 4, order({3, 0, 1}, {"h1", "h2"})).ok());
  EXPECT_FALSE(guests.may_order(agent, 4, order({3, 0, 1}, {"h3", "h2"})).ok());
  EXPECT_FALSE(guests.may_order(agent, 4, order({3, 0, 1}, {"h1", "h3"})).ok());
  auto other = order({3, 0, 1}, {"h1", "h2"});
  other.attempt.attempt = 2;
  EXPECT_FALSE(guests.may_order(agent, 4, other).ok());
  EXPECT_EQ(guests.may_order(agent, 5, order({3, 0, 1}, {"h1", "h2"})).what(),
            "the session is not open");
}

TEST_F(GivenAGuest, WhenItAsksForAProcessThenTheTaskHearsUnderWhichNumberItAnswers) {
  session::PeerStart start;
  start.call = 70, start.attempt = {3, 0, 1}, start.command = {"date"}, start.input = true;
  const auto call = guests.call_here(4, 5001, start);
  EXPECT_EQ(call.start.call, 5001) << "here";
  EXPECT_EQ(call.start.number, 70) << "as it is signed";
  EXPECT_EQ(call.start.command, start.command);
  EXPECT_TRUE(call.start.input);
  EXPECT_EQ(call.taker.guest, session.pointer());
  EXPECT_EQ(call.taker.peer_call, 70);
}

TEST_F(GivenAGuest, WhenItsSessionHasEndedThenItIsToldNothingAndOrdersNothing) {
  guests.tell(4, session::PeerEnded{70, {}});
  settle();
  ASSERT_EQ(session.all<Say>().size(), 1u);
  guests.remove({5, "another one", 0, false});
  guests.tell(4, session::PeerEnded{71, {}});
  guests.remove({4, "the link is down", 0, false});
  guests.tell(4, session::PeerEnded{72, {}});
  settle();
  EXPECT_EQ(session.all<Say>().size(), 2u);
  EXPECT_FALSE(guests.may_order(agent, 4, order({3, 0, 1}, {"h1", "h2"})).ok());
}
