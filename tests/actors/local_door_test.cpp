// What commands on a host ask their agent for.
#include "actors/agent/local_door.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

class GivenALocalDoor : public ActorFixture {
public:
  LocalDoor door;
  Partner keeper = partner();

  static std::string request(door::RequestBody body) {
    door::Request request;
    request.id = "id", request.body = std::move(body);
    return encode(request);
  }
  LocalDoor::Asked take(std::int64_t connection, std::string content, bool is_registered) {
    auto asked = door.take({connection, {}, std::move(content)}, keeper.pointer(), is_registered);
    settle();
    return asked;
  }
  void answered(std::int64_t connection, const std::string& content) {
    door.answered({connection, {content}});
    settle();
  }
  static bool is_busy(const DoorReply& reply) {
    const auto read = decode<door::Reply>(reply.content);
    return reply.last && read && std::holds_alternative<door::Busy>(read->body);
  }
};

} // namespace

TEST_F(GivenALocalDoor, WhenItsHostIsNotRegisteredThenOnlyItsOwnProcessesAreServed) {
  EXPECT_TRUE(std::holds_alternative<std::monostate>(take(7, request(door::GetJobs{}), false)));
  ASSERT_EQ(keeper.all<DoorReply>().size(), 1u);
  EXPECT_EQ(keeper.all<DoorReply>().front().connection, 7);
  EXPECT_TRUE(is_busy(keeper.all<DoorReply>().front()));
  const auto asked = take(8, request(door::Inherit{{3}, 0, "h2", {"date"}, {}, "/", false}), false);
  ASSERT_TRUE(std::holds_alternative<LocalDoor::Inherit>(asked));
  EXPECT_EQ(std::get<LocalDoor::Inherit>(asked).id, "id");
  EXPECT_EQ(std::get<LocalDoor::Inherit>(asked).request.host, "h2");
  EXPECT_TRUE(std::holds_alternative<door::InheritInput>(
      take(9, request(door::InheritInput{"id", {"typed"}, true, 0}), false)));
  EXPECT_EQ(keeper.all<DoorReply>().size(), 1u);
}

TEST_F(GivenALocalDoor, WhenARequestMakesNoSenseThenItIsRefusedHere) {
  const auto asked = take(7, request(door::Inherit{{3}, 0, "h2", {}, {}, "/", false}), true);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(asked));
  ASSERT_EQ(keeper.all<DoorReply>().size(), 1u);
  const auto reply = decode<door::Reply>(keeper.all<DoorReply>().front().content);
  ASSERT_TRUE(reply.ok() && std::holds_alternative<Answer>(reply->body));
  EXPECT_NE(std::get<Answer>(reply->body).exit_code, 0);
}

TEST_F(GivenALocalDoor, WhenTheMasterAnswersThenTheRequestIsOverWithItsLastAnswer) {
  const auto asked = take(7, request(door::GetJobs{}), true);
  ASSERT_TRUE(std::holds_alternative<session::Relay>(asked));
  EXPECT_EQ(std::get<session::Relay>(asked).frame.content, request(door::GetJobs{}));
  EXPECT_TRUE(std::holds_alternative<session::Relay>(take(8, "what no agent reads", true)));
  answered(7, encode(door::Reply{false, Answer{}}));
  answered(7, encode(door::Reply{true, Answer{}}));
  answered(7, encode(door::Reply{true, Answer{}})); // nobody waits for it
  answered(8, "what nobody reads");
  const auto replies = keeper.all<DoorReply>();
  ASSERT_EQ(replies.size(), 3u);
  EXPECT_FALSE(replies[0].last);
  EXPECT_TRUE(replies[1].last && replies[2].last);
  EXPECT_EQ(replies[2].connection, 8);
}

TEST_F(GivenALocalDoor, WhenTheMasterIsLostThenWhoeverWaitsIsToldToComeAgainOnce) {
  for (const std::int64_t connection : {7, 8}) take(connection, request(door::GetJobs{}), true);
  answered(7, encode(door::Reply{true, Answer{}}));
  door.master_lost();
  door.master_lost();
  settle();
  const auto replies = keeper.all<DoorReply>();
  ASSERT_EQ(replies.size(), 2u);
  EXPECT_EQ(replies.back().connection, 8);
  EXPECT_TRUE(is_busy(replies.back()));
}

TEST_F(GivenALocalDoor, WhenNothingIsToBeSaidThenTheRequestEndsWithoutContent) {
  LocalDoor::say_nothing(keeper.pointer(), 7);
  LocalDoor::answer(keeper.pointer(), 8, Answer{});
  settle();
  const auto replies = keeper.all<DoorReply>();
  ASSERT_EQ(replies.size(), 2u);
  EXPECT_TRUE(replies[0].last && replies[0].content.empty());
  EXPECT_TRUE(replies[1].last && !replies[1].content.empty());
}
