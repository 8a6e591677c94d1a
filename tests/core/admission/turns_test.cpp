#include "core/admission/turns.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

using namespace almanac;

namespace {

using Line = Turns<int, std::string>;
using Rank = Line::Rank;

std::string served(Line& turns) {
  std::string order;
  while (const auto turn = turns.next()) order += turn->entry + " ";
  return order;
}

} // namespace

TEST(GivenTurns, WhenOneSendsManyThenTheOthersComeInBetween) {
  Line turns({100, 0});
  for (int i = 0; i < 3; ++i) turns.add(1, Rank::ordinary, "a" + std::to_string(i));
  turns.add(2, Rank::ordinary, "b0");
  turns.add(3, Rank::ordinary, "c0");
  turns.add(2, Rank::ordinary, "b1");
  EXPECT_EQ(served(turns), "a0 b0 c0 a1 b1 a2 ");
  EXPECT_EQ(turns.size(), 0u);
}

TEST(GivenTurns, WhenAllPlacesAreTakenThenTheNextWaitsUntilOneIsGivenBack) {
  Line turns({2, 0});
  for (const char* name : {"a", "b", "c"}) turns.add(1, Rank::ordinary, name);
  EXPECT_EQ(served(turns), "a b ");
  turns.leave(Rank::ordinary);
  EXPECT_EQ(served(turns), "c ");
  EXPECT_EQ(turns.served(), 2u);
}

TEST(GivenPlacesThatAreKept, WhenManyUsersAreInLineThenRootIsServedAtOnce) {
  Line turns({4, 1});
  for (int user = 1; user <= 1000; ++user) turns.add(user, Rank::ordinary, "u");
  EXPECT_EQ(served(turns), "u u u ") << "users can't take what is kept";
  turns.add(0, Rank::first, "root");
  EXPECT_EQ(served(turns), "root ");
  EXPECT_EQ(turns.served_at_kept_places(), 1u);
}

TEST(GivenPlacesThatAreKept, WhenRootSendsManyThenUsersStillHaveTheirTurn) {
  Line turns({4, 1});
  for (int i = 0; i < 10; ++i) turns.add(0, Rank::first, "r" + std::to_string(i));
  for (int user = 1; user <= 2; ++user) turns.add(user, Rank::ordinary, "u" + std::to_string(user));
  EXPECT_EQ(served(turns), "r0 u1 u2 r1 ");
  turns.leave(Rank::first);
  EXPECT_EQ(served(turns), "r2 ") << "one after the other at the place that is kept";
}

TEST(GivenPlacesThatAreKept, WhenTheSameUserComesAsAPlainOneThenHeTakesNoneOfThem) {
  Line turns({2, 1});
  turns.add(0, Rank::ordinary, "elsewhere"), turns.add(0, Rank::ordinary, "again");
  EXPECT_EQ(served(turns), "elsewhere ");
  turns.add(0, Rank::first, "here");
  EXPECT_EQ(served(turns), "here ");
}

RC_GTEST_PROP(GivenAnyTurns, WhenPlacesComeAndGoThenNeitherIsOverfullNorAnybodyForgotten,
              (const std::vector<std::pair<bool, unsigned char>>& steps)) {
  Line turns({5, 2});
  std::vector<Rank> places;
  std::size_t added = 0, seen = 0;
  for (const auto& [adds, who] : steps) {
    const auto rank = who % 7 == 0 ? Rank::first : Rank::ordinary;
    if (adds) turns.add(who % 9, rank, "x"), ++added;
    else if (!places.empty()) turns.leave(places.back()), places.pop_back();
    while (const auto turn = turns.next()) places.push_back(turn->place), ++seen;
    RC_ASSERT(turns.served() == places.size());
    RC_ASSERT(turns.served_at_kept_places() <= 2u);
    RC_ASSERT(turns.served() - turns.served_at_kept_places() <= 3u);
    RC_ASSERT(turns.size() == added - seen);
  }
  while (!places.empty()) {
    turns.leave(places.back()), places.pop_back();
    while (const auto turn = turns.next()) places.push_back(turn->place), ++seen;
  }
  RC_ASSERT(seen == added);
}
