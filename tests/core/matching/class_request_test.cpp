// What the jobs of a class ask for: how long, how much, and where it could ever be.
#include "core/matching/class_request.hpp"
#include "matching_fixture.hpp"

using namespace almanac;

namespace {

class GivenClassRequests : public MatchingFixture {
public:
  ClassRequest wanted(const JobRequest& request) {
    auto found = make_class_request(state(), *find(submit(alice, request)));
    EXPECT_TRUE(found.ok());
    return *found;
  }
  static std::string names(const Instances& instances) {
    std::string text;
    for (const auto* instance : instances)
      text += (text.empty() ? "" : " ") + instance->name.text();
    return text;
  }
};

} // namespace

TEST_F(GivenClassRequests, WhenAJobHasALimitThenItsPlaceIsBookedForThatAndTheOffset) {
  hosts(1, 4);
  scheduler({{"default_duration", "1:0:0"}, {"params", "DURATION_OFFSET=7"}});
  const auto limited = wanted(job("limited", "100"));
  EXPECT_EQ(limited.length, Duration{107});
  EXPECT_FALSE(limited.endless);
  const auto endless = wanted(job("endless"));
  EXPECT_EQ(endless.length, Duration{3607}) << "towards other jobs";
  EXPECT_TRUE(endless.endless) << "towards advance reservations";
}

TEST_F(GivenClassRequests, WhenARangeOfSlotsIsAskedForThenTheFewestWillDo) {
  hosts(1, 4);
  EXPECT_EQ(wanted(job("one")).slots, 1);
  EXPECT_EQ(wanted(parallel("fill", 3, 8)).slots, 3);
}

TEST_F(GivenClassRequests, WhenAnInstanceNeverWillDoThenItIsNotAmongThose) {
  hosts(3, 4);
  complex("fast", "fst BOOL == YES NO 0 0");
  offer("h2", "fast=TRUE");
  const auto request = wanted(asking({{"fast", "TRUE"}}));
  EXPECT_EQ(names(*request.suitable), "all.q@h2");
  EXPECT_TRUE(is_suitable(request, &instance("h2")));
  EXPECT_FALSE(is_suitable(request, &instance("h1")));
  Obstacles obstacles;
  add_lasting_obstacles(state(), *find(1), request, obstacles);
  EXPECT_EQ(obstacles.list().size(), 2U);
}

TEST_F(GivenClassRequests, WhenOnlyTheirLimitsDifferThenTheyShareTheInstances) {
  hosts(2, 4);
  const auto brief = wanted(job("brief", "100")), lengthy = wanted(job("lengthy", "9000"));
  EXPECT_EQ(brief.suitable, lengthy.suitable);
  queue("all.q", {{"h_rt", "INFINITY,[h1=1:0:0]"}});
  EXPECT_EQ(names(*wanted(job("brief", "100")).suitable), "all.q@h1 all.q@h2");
  EXPECT_EQ(names(*wanted(job("lengthy", "9000")).suitable), "all.q@h2");
}
