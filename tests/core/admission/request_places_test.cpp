// How many requests may be there at once.
#include "core/admission/request_places.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

using Rank = Share::Rank;

int taken_by(RequestPlaces& places, const RequestPlaces::Asker& asker, Rank rank = Rank::ordinary) {
  int taken = 0;
  while (taken < 1000 && places.take(asker, rank)) ++taken;
  return taken;
}

} // namespace

TEST(GivenPlacesForRequests, WhenAUserHasAllOfTheirsThenTheNextUserHasTheirOwn) {
  RequestPlaces places({100, 10, 4, {100, 0, 100, 1}});
  EXPECT_EQ(taken_by(places, {7, ""}), 4);
  EXPECT_EQ(taken_by(places, {8, ""}), 4);
  EXPECT_EQ(places.taken(), 8);
  places.give_back({7, ""});
  EXPECT_EQ(places.of_users().at(7), 3);
  EXPECT_EQ(taken_by(places, {7, ""}), 1);
}

TEST(GivenPlacesForRequests, WhenAllButTheKeptOnesAreTakenThenOnlyThoseWhoComeFirstFindOne) {
  RequestPlaces places({20, 3, 1, {100, 0, 100, 1}});
  for (std::int64_t uid = 1; uid <= 17; ++uid) ASSERT_TRUE(places.take({uid, ""}));
  EXPECT_FALSE(places.take({18, ""}));
  EXPECT_TRUE(places.take({0, ""}, Rank::first));
  EXPECT_EQ(places.of_users().count(18), 0u) << "who found none is not counted";
}

TEST(GivenPlacesForRequests, WhenAnAgentBringsManyUsersThenTheyHaveItsShareTogether) {
  RequestPlaces places({1000, 0, 4, {100, 0, 5, 1000}});
  int brought = 0;
  for (std::int64_t uid = 1; uid <= 50; ++uid) brought += places.take({uid, "the agent on h1"});
  EXPECT_EQ(brought, 5);
  EXPECT_TRUE(places.take({1, "the agent on h2"}));
  EXPECT_TRUE(places.take({50, ""})) << "whom the kernel knows is counted as a user only";
  places.give_back({1, "the agent on h1"});
  EXPECT_TRUE(places.take({60, "the agent on h1"}));
}

TEST(GivenPlacesForRequests, WhenAllAreGivenBackThenNobodyIsCounted) {
  RequestPlaces places({100, 0, 4, {100, 0, 100, 1}});
  taken_by(places, {7, "the agent on h1"});
  for (int i = 0; i < 4; ++i) places.give_back({7, "the agent on h1"});
  EXPECT_EQ(places.taken(), 0);
  EXPECT_TRUE(places.of_users().empty());
  EXPECT_EQ(taken_by(places, {7, "the agent on h1"}), 4);
}
