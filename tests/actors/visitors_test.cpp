// Who is let in at the gate, whose turn it is, and who waits for the end of a job.
#include "actors/master/visitors.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenVisitors : public ::testing::Test {
public:
  Visitors visitors;

  GivenVisitors() { visitors.follow({{"boss"}, {"master"}}); }
  static Visit visit_of(std::int64_t uid, const std::string& user = "alice") {
    Visit visit;
    visit.caller = {user, "users", uid, 1001, "master", "the master's own door"};
    return visit;
  }
  std::optional<Visit> enter(Visit visit) {
    if (!visitors.take_place(visit)) return std::nullopt;
    visitors.line_up(visit, door::GetCluster{});
    return visit;
  }
  // Those whose turn it is, in order.
  std::vector<Visit> served() {
    std::vector<Visit> result;
    while (auto next = visitors.next()) result.push_back(next->visit);
    return result;
  }
  bool shows(const std::string& line) const {
    return visitors.shown().find(line + "\n") != std::string::npos;
  }
};

} // namespace

TEST_F(GivenVisitors, WhenOneIsLetInThenItHasAPlaceUntilItLeaves) {
  ASSERT_TRUE(enter(visit_of(7)));
  EXPECT_TRUE(visitors.is_anybody_waiting());
  const auto visits = served();
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_FALSE(visits.front().at_rest);
  EXPECT_FALSE(visitors.is_anybody_waiting());
  EXPECT_TRUE(shows("in_flight: 1"));
  EXPECT_TRUE(shows("in_service: 1"));
  EXPECT_TRUE(shows("in_flight of uid 7: 1"));
  visitors.leave(visits.front());
  EXPECT_TRUE(shows("in_flight: 0"));
  EXPECT_TRUE(shows("in_service: 0"));
  EXPECT_FALSE(shows("in_flight of uid 7: 1"));
}

TEST_F(GivenVisitors, WhenAUserHasTooManyThenTheRestIsTurnedAwayAndLeavesNothing) {
  for (int i = 0; i < 256; ++i) ASSERT_TRUE(enter(visit_of(7)));
  EXPECT_FALSE(enter(visit_of(7)));
  EXPECT_TRUE(enter(visit_of(8)));
  visitors.turn_away();
  EXPECT_TRUE(shows("turned_away: 2"));
  EXPECT_TRUE(shows("in_flight of uid 7: 256"));
  auto away = visit_of(7);
  EXPECT_FALSE(visitors.take_place(away));
  visitors.leave(away);
  EXPECT_TRUE(shows("in_flight: 257"));
}

TEST_F(GivenVisitors, WhenAllPlacesOfServiceAreTakenThenTheNextUserWaitsForOneAndAManagerForNone) {
  for (int i = 0; i < 200; ++i) enter(visit_of(7));
  const auto visits = served();
  ASSERT_EQ(visits.size(), 120u);
  enter(visit_of(8));
  EXPECT_TRUE(served().empty());
  enter(visit_of(900, "boss"));
  const auto first = served();
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first.front().place, Share::Rank::first);
  visitors.leave(visits[0]), visitors.leave(visits[1]);
  const auto next = served();
  ASSERT_EQ(next.size(), 2u);
  EXPECT_EQ(next.back().caller.uid, 8);
}

TEST_F(GivenVisitors, WhenOneRestsThenItIsInNobodysWayAndItsAnswerLeavesNoPlace) {
  enter(visit_of(7));
  auto visit = served().front();
  ASSERT_TRUE(visitors.rest(visit));
  EXPECT_TRUE(visit.at_rest);
  EXPECT_TRUE(shows("in_flight: 0"));
  EXPECT_TRUE(shows("waiting for jobs, uid 7: 1"));
  visitors.wake(visit);
  EXPECT_FALSE(shows("waiting for jobs, uid 7: 1"));
  visitors.leave(visit);
  EXPECT_TRUE(shows("in_flight: 0"));
  EXPECT_TRUE(shows("in_service: 0"));
}

TEST_F(GivenVisitors, WhenTooManyOfAUserRestThenTheNextOneKeepsItsPlace) {
  for (int i = 0; i < 8192; ++i) {
    enter(visit_of(7));
    auto visit = served().front();
    ASSERT_TRUE(visitors.rest(visit));
  }
  enter(visit_of(7));
  auto visit = served().front();
  EXPECT_FALSE(visitors.rest(visit));
  EXPECT_FALSE(visit.at_rest);
  EXPECT_TRUE(shows("in_flight: 1"));
}
