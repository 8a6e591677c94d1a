#include "core/matching/assumption.hpp"

#include "core/base/wide.hpp"

#include "matching_fixture.hpp"

using namespace almanac;

namespace {

class GivenAnAssumption : public MatchingFixture {
public:
  GivenAnAssumption() { hosts(1, 4); }

  Task task(std::int64_t slots) const {
    Task made;
    made.number = 0, made.state = TaskState::sent, made.attempt = 1;
    made.grants = {{InstanceName{"all.q", "h1"}, slots}};
    made.bookings = {{Container::queue({"all.q", "h1"}), "slots", slots}};
    made.booked = for_seconds(100), made.limit = {100};
    return made;
  }
  std::int64_t free(const Snapshot& state) const {
    return Supply::of_cluster(state).free_slots(instance("h1"), for_seconds(10));
  }
};

} // namespace

TEST_F(GivenAnAssumption, WhenTasksAreAssumedThenLessIsFreeInItAndAsMuchAsBeforeOutsideOfIt) {
  const auto digest = planner.digest();
  Assumption all(state());
  const Job job;
  all.start(job, task(3));
  EXPECT_EQ(free(all.look()), 1);
  all.start(job, task(1));
  EXPECT_EQ(free(all.look()), 0);
  EXPECT_EQ(all.look().started_lately(0, now), 2 * fixed_point::unit);
  EXPECT_EQ(free(state()), 4);
  EXPECT_EQ(state().started_lately(0, now), 0);
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_TRUE(state().records().followers_agree());
}

TEST_F(GivenAnAssumption, WhenHoldsAreAssumedAwayThenTheirSlotsAreFreeInIt) {
  scheduler({{"max_reservation", "5"}, {"default_duration", "1:0:0"}});
  running(job("runs"));
  auto wide = parallel("make", 4);
  wide.reserve = true;
  submit(alice, wide);
  pass();
  const auto& held = *state().jobs().rbegin()->second;
  ASSERT_EQ(held.holds.size(), 1u);
  const auto window = held.holds.front().window;
  const auto free_then = [&](const Snapshot& state) {
    return Supply::of_cluster(state).free_slots(instance("h1"), window);
  };
  EXPECT_EQ(free_then(state()), 0);
  Assumption without(state());
  without.drop_holds(held), without.drop_holds(held);
  EXPECT_EQ(free_then(without.look()), 4);
  EXPECT_TRUE(without.look().is_aside(held.key));
  EXPECT_FALSE(state().is_aside(held.key));
}
