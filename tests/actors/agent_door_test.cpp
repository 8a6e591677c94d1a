// What the users of a host ask through its agent, and how they are answered.
#include "actors/master/agent_door.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

class GivenTheDoorOfAnAgent : public ActorFixture {
public:
  static constexpr Instant now{100};
  Partner agent = partner(), next_agent = partner(), archive = partner();
  AgentDoor door{"h1", alice_is_nobody};

  static Vouched alice_is_nobody(Caller caller) {
    if (caller.user != "alice") return {caller, ""};
    return {Caller(), "is unknown here"};
  }

  GivenTheDoorOfAnAgent() { door.open(agent.as<SessionActor>()); }
  static DoorReply long_answer(std::int64_t connection, std::size_t frames) {
    std::vector<door::ReplyBody> bodies(frames, door::ReplyBody(door::Busy{1}));
    auto rest = std::make_shared<EncodedFrames>(ready_frames(std::move(bodies)));
    auto first = *rest->next();
    return {connection, std::move(first), false, std::move(rest)};
  }
  std::vector<std::int64_t> answered(const Partner& who) {
    settle();
    std::vector<std::int64_t> connections;
    for (const auto& say : who.all<Say>())
      connections.push_back(std::get<session::RelayAnswer>(say.message).connection);
    return connections;
  }
};

} // namespace

TEST_F(GivenTheDoorOfAnAgent, WhenSomebodyAsksThenTheAgentIsBelievedWhichHostItServes) {
  const auto frame =
      door.frame_of({7, {"bob", "users", 8, 8, "master", "the master's own door"}, {"ask"}}, now);
  EXPECT_EQ(frame.connection, 7);
  EXPECT_EQ(frame.content, "ask");
  EXPECT_EQ(frame.caller.user, "bob");
  EXPECT_EQ(frame.caller.host, "h1");
  EXPECT_EQ(frame.caller.through, "the agent on h1");
}

TEST_F(GivenTheDoorOfAnAgent, WhenTheAgentNamesSomebodyElseThanThisMachineThenItIsNotBelieved) {
  const auto frame = door.frame_of({7, {"alice", "users", 8, 8, "x", "y"}, {"ask"}}, now);
  EXPECT_EQ(frame.caller.user, "");
}

TEST_F(GivenTheDoorOfAnAgent, WhenAnAnswerIsShortThenItIsSaidAtOnce) {
  EXPECT_FALSE(door.take({7, "short", true, nullptr}));
  EXPECT_EQ(answered(agent), std::vector<std::int64_t>{7});
}

TEST_F(GivenTheDoorOfAnAgent, WhenAnAnswerIsLongThenAFrameIsSaidEachTimeThatThereIsRoom) {
  EXPECT_TRUE(door.take(long_answer(7, 3)));
  EXPECT_TRUE(answered(agent).empty());
  EXPECT_TRUE(door.go_on().wants_room);
  EXPECT_TRUE(door.go_on().wants_room);
  EXPECT_FALSE(door.go_on().wants_room) << "that was the last one";
  EXPECT_EQ(answered(agent).size(), 3u);
  EXPECT_FALSE(door.go_on().wants_room);
  EXPECT_EQ(answered(agent).size(), 3u);
}

TEST_F(GivenTheDoorOfAnAgent, WhenSomebodyElseMakesTheFramesThenItIsToldAndNothingIsSaidUntilThen) {
  auto first = long_answer(7, 2);
  first.maker = archive.pointer();
  EXPECT_TRUE(door.take(first));
  EXPECT_TRUE(door.go_on().wants_room);
  const auto next = door.go_on();
  EXPECT_FALSE(next.wants_room);
  ASSERT_TRUE(next.wanted);
  EXPECT_EQ(next.wanted->maker, archive.pointer());
  EXPECT_EQ(next.wanted->frame.connection, 7);
  EXPECT_TRUE(door.take({7, "last", true, nullptr})) << "it takes its turn";
  EXPECT_FALSE(door.go_on().wants_room);
  EXPECT_EQ(answered(agent).size(), 2u);
}

TEST_F(GivenTheDoorOfAnAgent, WhenTheSessionEndsThenNothingOfItsAnswersIsLeft) {
  EXPECT_TRUE(door.take(long_answer(7, 3)));
  door.close();
  EXPECT_FALSE(door.take({7, "short", true, nullptr}));
  EXPECT_FALSE(door.take(long_answer(8, 3)));
  door.open(next_agent.as<SessionActor>());
  EXPECT_FALSE(door.go_on().wants_room);
  EXPECT_TRUE(answered(agent).empty());
  EXPECT_TRUE(answered(next_agent).empty());
}
