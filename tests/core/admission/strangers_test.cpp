#include "core/admission/strangers.hpp"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace {

using Crowd = almanac::Strangers<int>;

class GivenStrangers : public testing::Test {
public:
  GivenStrangers() {
    for (int id = 0; id < 100; ++id) strangers.add("mallory", id);
    strangers.add("alice", 100);
  }

  std::set<int> who_may_go(const std::string& account) {
    std::set<int> found;
    for (int i = 0; i < 5000; ++i) found.insert(*strangers.who_goes(account, chance()));
    return found;
  }

  Crowd strangers;
  std::mt19937_64 chance{1};
};

} // namespace

TEST_F(GivenStrangers, WhenOneMoreComesThenAnyOfItsOwnMayGo) {
  EXPECT_EQ(who_may_go("alice"), (std::set{100}));
  const auto found = who_may_go("mallory");
  EXPECT_EQ(found.size(), 100u);
  EXPECT_FALSE(found.contains(100));
}

TEST_F(GivenStrangers, WhenANewAccountComesThenAnybodyMayGo) {
  EXPECT_EQ(who_may_go("bob").size(), 101u);
}

TEST_F(GivenStrangers, WhenTheyAreKnownThenTheyStay) {
  for (int id = 0; id < 100; id += 2) strangers.remove(id);
  strangers.remove(0);
  strangers.remove(100);
  EXPECT_EQ(who_may_go("alice").size(), 50u); // of the others, having none
  for (const int id : who_may_go("mallory")) EXPECT_EQ(id % 2, 1);
  for (int id = 1; id < 100; id += 2) strangers.remove(id);
  EXPECT_FALSE(strangers.who_goes("mallory", 7).has_value());
}

// Somebody comes in with a chance of e^-1 while as many others come as there are places.
TEST_F(GivenStrangers, WhenManyComeMeanwhileThenSomeOfThoseWhoTryBecomeKnown) {
  strangers.remove(100);
  int known = 0, next = 1000;
  const auto comes_in = [&] {
    strangers.remove(*strangers.who_goes("mallory", chance()));
    strangers.add("mallory", next);
    return next++;
  };
  for (int round = 0; round < 1000; ++round) {
    const auto alice = comes_in();
    bool is_there = true;
    for (int i = 0; i < 100 && is_there; ++i) {
      const auto goes = *strangers.who_goes("mallory", chance());
      is_there = goes != alice;
      strangers.remove(goes), strangers.add("mallory", next++);
    }
    known += is_there;
  }
  EXPECT_GT(known, 250);
}
