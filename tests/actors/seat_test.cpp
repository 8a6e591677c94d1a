// Who speaks for a host.
#include "actors/master/seat.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

class GivenASeat : public ActorFixture {
public:
  static constexpr Instant now{100};
  Partner first = partner(), second = partner();
  Seat seat{"h1"};

  void come(const Partner& who, std::uint64_t id, const std::string& key = "K") {
    seat.come(SessionUp{who.pointer(), id, "h1", {key, 1, {}}});
  }
  void sit(const Partner& who, std::uint64_t id) {
    come(who, id);
    seat.take(id);
  }
  // Somebody registers and is refused; who is in its way.
  Rival rival(Instant at) {
    come(second, 99);
    const auto rival = seat.begin_registration(99, {}, "store", at).rival;
    seat.end_registration();
    seat.forget(99);
    return rival;
  }
  std::vector<std::string> reasons(const Partner& who) {
    settle();
    std::vector<std::string> result;
    for (const auto& say : who.all<Say>())
      if (const auto* refused = std::get_if<session::Refused>(&say.message))
        result.push_back(refused->reason);
    return result;
  }
};

} // namespace

TEST_F(GivenASeat, WhenSomebodyComesThenItIsANewcomerUntilItTakesTheSeat) {
  come(first, 5);
  EXPECT_TRUE(seat.is_newcomer(5));
  EXPECT_FALSE(seat.is_newcomer(6));
  EXPECT_FALSE(seat.is_taken());
  seat.take(5);
  EXPECT_FALSE(seat.is_newcomer(5));
  EXPECT_TRUE(seat.is_taken_by(5));
  seat.say(session::Renewed{7});
  settle();
  EXPECT_EQ(first.all<Say>().size(), 1u);
}

TEST_F(GivenASeat, WhenNobodyIsThereThenNothingIsSaidAndNobodysIdIsNobody) {
  come(first, 5);
  seat.say(session::Renewed{7});
  settle();
  EXPECT_TRUE(first.heard->empty());
  EXPECT_FALSE(seat.is_taken_by(0));
}

TEST_F(GivenASeat, WhenANewcomerTakesItThenWhoWasThereHearsWhy) {
  sit(first, 5);
  sit(second, 6);
  EXPECT_EQ(reasons(first),
            std::vector<std::string>{"another agent of host h1 has come in its place"});
  EXPECT_FALSE(seat.is_taken_by(5));
  EXPECT_TRUE(seat.is_taken_by(6));
  EXPECT_TRUE(reasons(second).empty());
}

TEST_F(GivenASeat, WhenANewcomerRegistersThenThePlannerIsAskedAboutTheTasksOfItsStore) {
  session::TaskReport mine, foreign;
  mine.attempt = {3, 0, 1}, mine.store_id = "store";
  foreign.attempt = {4, 0, 1}, foreign.store_id = "another";
  come(first, 5, "its key");
  const auto news = seat.begin_registration(5, {HostFacts(), {mine, foreign}}, "store", now);
  EXPECT_EQ(news.host, "h1");
  EXPECT_EQ(news.claim.key, "its key");
  EXPECT_EQ(news.rival, Rival::none);
  EXPECT_EQ(news.tasks, std::vector<Attempt>{mine.attempt});
}

TEST_F(GivenASeat, WhenThePlannerIsAskedAboutTwoThenItIsSoUntilBothAreAnswered) {
  come(first, 5), come(second, 6);
  seat.begin_registration(5, {}, "store", now), seat.begin_registration(6, {}, "store", now);
  seat.forget(5);
  seat.end_registration();
  EXPECT_TRUE(seat.is_registering());
  seat.end_registration();
  EXPECT_FALSE(seat.is_registering());
}

TEST_F(GivenASeat, WhenSomebodyIsRefusedThenItHearsWhyIfItIsStillThere) {
  sit(first, 5);
  come(second, 6);
  seat.refuse(6, "no", now);
  EXPECT_EQ(reasons(second), std::vector<std::string>{"no"});
  EXPECT_FALSE(seat.is_newcomer(6));
  seat.refuse(6, "no", now);
  EXPECT_EQ(reasons(second).size(), 1u);
  EXPECT_TRUE(seat.is_taken_by(5));
}

TEST_F(GivenASeat, WhenTheOneInItSpeaksAfterAnotherWasRefusedThenItIsLively) {
  seat.refuse(9, "no", now); // nobody is in the seat
  sit(first, 5);
  EXPECT_EQ(rival(now), Rival::there);
  seat.heard(now + Duration{4});
  EXPECT_EQ(rival(now + Duration{4}), Rival::there);
  seat.refuse(9, "no", now + Duration{4});
  seat.heard(now + Duration{8});
  EXPECT_EQ(rival(now + Duration{8}), Rival::lively);
  seat.leave();
  EXPECT_EQ(rival(now + Duration{9}), Rival::none);
  sit(first, 6);
  EXPECT_EQ(rival(now + Duration{9}), Rival::there) << "that was another one";
}

TEST_F(GivenASeat, WhenItsKeyIsRevokedThenThatIsAnObstacleForWhoIsThere) {
  HostKey known{"h1", KeyState::good, "K", 1, 1, {}, {}, {}, {}};
  revoke(known, now);
  EXPECT_FALSE(seat.obstacle(known, now)) << "nobody is there";
  sit(first, 5);
  EXPECT_TRUE(seat.obstacle(known, now));
  EXPECT_FALSE(seat.obstacle({"h1", KeyState::good, "K", 1, 1, {}, {}, {}, {}}, now));
  seat.dismiss("not let in");
  EXPECT_EQ(reasons(first), std::vector<std::string>{"not let in"});
  EXPECT_FALSE(seat.is_taken());
}

TEST_F(GivenASeat, WhenTheHostIsNoneAnyMoreThenNewcomersHearItToo) {
  sit(first, 5);
  come(second, 6);
  seat.send_all_away();
  const std::vector<std::string> reason{"host h1 is not an exec host of this cell"};
  EXPECT_EQ(reasons(first), reason);
  EXPECT_EQ(reasons(second), reason);
}
