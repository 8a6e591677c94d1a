// How a request at a door is read, and how its answer is written.
#include "actors/master/visit.hpp"
#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

class GivenAVisit : public ActorFixture {
public:
  Partner door = partner();

  Arrival arrive(const std::string& content) {
    return arrival_of({7, {"alice", "users", 1001, 1001, "h1"}, content}, door.pointer());
  }
  Arrival arrive(const door::Request& request) { return arrive(encode(request)); }
  static std::string text(const Arrival& arrival) {
    return arrival.refusal ? gridengine::lines_of(*arrival.refusal).front().text : "";
  }
  static Visit of_version(std::int64_t version) {
    Visit visit;
    visit.connection = 7, visit.version = version;
    return visit;
  }
};

} // namespace

TEST_F(GivenAVisit, WhenItsFrameIsARequestThenTheVisitSaysWhoseAndHowTheyAreAnswered) {
  const auto arrival = arrive({1, "an id", door::GetCluster{}});
  ASSERT_FALSE(arrival.refusal);
  EXPECT_TRUE(std::holds_alternative<door::GetCluster>(arrival.body));
  EXPECT_EQ(arrival.visit.connection, 7);
  EXPECT_EQ(arrival.visit.caller.user, "alice");
  EXPECT_EQ(arrival.visit.keeper, door.pointer());
  EXPECT_EQ(arrival.visit.request_id, "an id");
  EXPECT_TRUE(arrival.visit.at_rest) << "it has no place yet";
}

TEST_F(GivenAVisit, WhenItsFrameIsNoneThenThatIsTheAnswer) {
  const auto arrival = arrive("no message at all");
  EXPECT_TRUE(text(arrival).starts_with("the request can't be read: "));
  EXPECT_EQ(arrival.what, "sends a request");
}

TEST_F(GivenAVisit, WhenTheVersionOfTheDoorIsNotKnownThenTheAnswerNamesTheLastOne) {
  const auto most = door::protocol_version + 1;
  EXPECT_FALSE(arrive({most, "a", door::GetCluster{}}).refusal);
  for (const auto version : {most + 1, std::int64_t{0}})
    EXPECT_EQ(text(arrive({version, "a", door::GetCluster{}})),
              "protocol version " + std::to_string(version) + " is not supported, only up to " +
                  std::to_string(most));
}

TEST_F(GivenAVisit, WhenItAsksAboutMoreQuotasThanCanBeComparedThenItIsRefused) {
  const auto refused = [&](std::vector<std::string> users) {
    QuotaSelection selection;
    selection.users = std::move(users);
    return text(arrive({1, "a", door::GetQuotas{std::move(selection), {}, false}}));
  };
  EXPECT_EQ(refused({"ann", "b*", "@staff"}), "");
  EXPECT_EQ(refused(std::vector<std::string>(10'000, "ann")), "");
  const std::string many = "at most 10000 names of 512 characters can be asked about";
  EXPECT_NE(refused(std::vector<std::string>(10'001, "ann")), "");
  EXPECT_EQ(refused({std::string(513, 'a')}), many);
  const std::string pattern = std::string(511, '?') + "*";
  EXPECT_EQ(refused(std::vector<std::string>(8, pattern)), "");
  EXPECT_EQ(refused(std::vector<std::string>(9, pattern)),
            "all patterns together can have at most 4096 characters");
}

TEST_F(GivenAVisit, WhenItsRequestIsNotValidThenTheAuditLogHearsThatItAsked) {
  const door::GetMessages request{1, std::numeric_limits<std::int64_t>::max()};
  const auto arrival = arrive({1, "a", request});
  ASSERT_TRUE(arrival.refusal);
  EXPECT_EQ(arrival.what, "asks");
}

TEST_F(GivenAVisit, WhenACommandIsLongThenTheAuditLogHearsItsBeginning) {
  DeleteJobs command;
  for (int i = 0; i < 200; ++i) command.targets.push_back(std::to_string(i));
  EXPECT_EQ(what_of(door::RunCommand{command, {}, {}}).size(), 256u);
}

TEST_F(GivenAVisit, WhenItsAnswerHasOneFrameThenThatIsTheLast) {
  const auto visit = of_version(1);
  const auto one = visit.reply(door::ReplyBody(door::Busy{5}));
  EXPECT_EQ(one.connection, 7);
  EXPECT_TRUE(one.last);
  EXPECT_TRUE(decode<door::Reply>(one.content)->done);
  const auto first = visit.reply(ready_frames({door::ReplyBody(door::Busy{5})}));
  EXPECT_TRUE(first.last);
  EXPECT_FALSE(first.rest);
}

TEST_F(GivenAVisit, WhenItsAnswerHasMoreFramesThenTheOthersAreThereForTheTaking) {
  const auto first =
      of_version(1).reply(ready_frames({door::ReplyBody(door::Busy{5}), door::Busy{6}}));
  EXPECT_EQ(first.connection, 7);
  EXPECT_FALSE(first.last);
  EXPECT_FALSE(decode<door::Reply>(first.content)->done);
  ASSERT_TRUE(first.rest);
  EXPECT_TRUE(decode<door::Reply>(*first.rest->next())->done);
  EXPECT_FALSE(first.rest->next());
}
