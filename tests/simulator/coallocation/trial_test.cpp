#include "tests/simulator/coallocation/modelled_world.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace almanac {
namespace {

// Short times, so that much happens within a hold.
CoallocationPlan plan_of(std::size_t sites, Duration skew = {}) {
  CoallocationPlan plan;
  for (std::size_t i = 0; i < sites; ++i)
    plan.sites.push_back({"s" + std::to_string(i), "ann", "NODES=2"});
  plan.duration = Duration{20};
  plan.latest = Instant{ModelledWorld::begins_ms / 1000 + 400};
  plan.skew = skew;
  plan.answer_within = Duration{5}, plan.margin = Duration{4}, plan.hold = Duration{25};
  plan.lead = Duration{30};
  return plan;
}

ModelledWorld world_of(const CoallocationPlan& plan, std::uint64_t seed,
                       const ModelFaults& faults) {
  Chance chance(seed * 7 + 1);
  ModelledWorld world(plan, seed, faults);
  const auto now = ModelledWorld::begins_ms / 1000;
  for (std::size_t i = 0; i < plan.sites.size(); ++i) {
    ModelledSite site(2 + chance.up_to(2), chance.up_to(1000) - 500);
    for (auto left = chance.up_to(5); left > 0; --left) {
      const auto start = now + chance.up_to(400);
      site.take(start, start + 1 + chance.up_to(100), 1 + chance.up_to(1));
    }
    world.add(std::move(site));
  }
  return world;
}

// M11.4, M11.5
TEST(GivenAThousandCoallocations, WhenLinesAreLostAndAnybodyIsKilledThenTheEndIsAllOrNone) {
  std::map<std::string, int> ends, late_ends;
  std::int64_t kills = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Chance chance(seed);
    auto plan = plan_of(static_cast<std::size_t>(2 + chance.up_to(3)),
                        Duration{chance.up_to(1) * chance.up_to(40)});
    ModelFaults faults;
    auto& lines = faults.trial;
    lines.lost = chance.up_to(80), lines.late = chance.up_to(80), lines.doubled = chance.up_to(80);
    faults.site_kills = chance.up_to(30), lines.own_kills = chance.up_to(30);
    lines.longest_absence_ms = 1 + chance.up_to(60'000);
    lines.until_ms = 300'000;
    // Sites have forgotten what they did; what they reserved is over, or is not (M5.8).
    if (chance.up_to(2) == 0) {
      lines.decided_kills = 100, lines.long_absences = 900, faults.long_absences = 200;
      plan.duration = plan.duration + Duration{chance.up_to(2) > 0 ? 4 * 3600 : 0};
    }
    auto world = world_of(plan, seed, faults);
    world.run();
    ASSERT_EQ(world.complaint(), "") << "seed " << seed;
    kills += world.trial().kills();
    ++ends[name_of(world.outcome())];
    if (world.trial().is_late()) ++late_ends[name_of(world.outcome())];
  }
  // What was looked at has happened.
  EXPECT_GT(ends["all"], 200);
  EXPECT_GT(ends["none"], 100);
  EXPECT_GT(ends["mixed"], 3);
  EXPECT_GT(ends["stopped"], 20);
  EXPECT_GT(kills, 300);
  EXPECT_GT(late_ends["all"], 3);
  EXPECT_GT(late_ends["mixed"], 3);
}

TEST(GivenQuietSites, WhenACoallocationRunsThenAllAreCommittedAtTheEarliestCommonStart) {
  const auto plan = plan_of(3);
  ModelledWorld world(plan, 1, {});
  const auto now = ModelledWorld::begins_ms / 1000;
  for (int i = 0; i < 3; ++i) world.add(ModelledSite(2, 0));
  world.run();
  ASSERT_EQ(world.complaint(), "");
  ASSERT_EQ(world.outcome()->end, CoallocationEnd::all);
  EXPECT_EQ(world.outcome()->sites[0].grant.start, Instant{now + 31});
}

ModelledWorld run_of_two(const CoallocationPlan& plan, const ModelFaults& faults,
                         std::uint64_t seed) {
  ModelledWorld world(plan, seed, faults);
  world.add(ModelledSite(2, 0)), world.add(ModelledSite(2, 0));
  world.run();
  return world;
}

// M11.4: the coordinator is killed at each point, and comes back at once, or after the holds have
// ended.
TEST(GivenTwoSites, WhenTheCoordinatorIsKilledAtAnyStepThenNoSubsetIsCommitted) {
  const auto plan = plan_of(2);
  const auto undisturbed = run_of_two(plan, {}, 1);
  std::set<CoallocationEnd> ends;
  EXPECT_GT(undisturbed.trial().points(), 15);
  for (std::int64_t at = 0; at < undisturbed.trial().points(); ++at)
    for (const std::int64_t absence_ms : {1, 60'000}) {
      ModelFaults faults;
      faults.trial.own_kill_at = at, faults.trial.longest_absence_ms = absence_ms;
      const auto world = run_of_two(plan, faults, static_cast<std::uint64_t>(at));
      EXPECT_EQ(world.trial().kills(), 1);
      ASSERT_EQ(world.complaint(), "") << "killed at " << at;
      if (world.outcome()) ends.insert(world.outcome()->end);
    }
  EXPECT_EQ(ends.count(CoallocationEnd::all), 1U);
  EXPECT_EQ(ends.count(CoallocationEnd::none), 1U);
}

CoallocationPlan plan_of_hours() {
  auto plan = plan_of(2);
  plan.duration = Duration{4 * 3600};
  return plan;
}

// M5.8, M5.9: it comes back when the sites no longer know how they settled it.
TEST(GivenTwoSites, WhenTheCoordinatorIsAwayForMoreThanAnHourThenNoSubsetIsCommitted) {
  const auto plan = plan_of_hours();
  const auto undisturbed = run_of_two(plan, {}, 1);
  std::set<CoallocationEnd> late_ends;
  for (std::int64_t at = 0; at < undisturbed.trial().points(); ++at) {
    ModelFaults faults;
    faults.trial.own_kill_at = at, faults.trial.long_absences = 1000;
    const auto world = run_of_two(plan, faults, static_cast<std::uint64_t>(at));
    ASSERT_EQ(world.complaint(), "") << "killed at " << at;
    if (world.trial().is_late()) late_ends.insert(world.outcome()->end);
  }
  EXPECT_EQ(late_ends.count(CoallocationEnd::all), 1U);
}

// The answer to COMMIT is lost, and for more than an hour nobody is there.
TEST(GivenTwoSites, WhenASiteIsAwayForMoreThanAnHourThenNoSubsetIsCommitted) {
  const auto plan = plan_of_hours();
  const auto undisturbed = run_of_two(plan, {}, 1);
  for (std::int64_t at = 0; at < undisturbed.site_points(); ++at) {
    ModelFaults faults;
    faults.site_kill_at = at, faults.long_absences = 1000;
    const auto world = run_of_two(plan, faults, static_cast<std::uint64_t>(at));
    ASSERT_EQ(world.complaint(), "") << "killed at " << at;
    ASSERT_TRUE(world.outcome());
  }
}

// M11.4: before hold, after hold, before commit, after the first commit.
TEST(GivenTwoSites, WhenASiteIsKilledAtAnyStepThenNoSubsetIsCommitted) {
  const auto plan = plan_of(2);
  const auto undisturbed = run_of_two(plan, {}, 1);
  EXPECT_GT(undisturbed.site_points(), 15);
  for (std::int64_t at = 0; at < undisturbed.site_points(); ++at)
    for (const std::int64_t absence_ms : {1, 60'000}) {
      ModelFaults faults;
      faults.site_kill_at = at, faults.trial.longest_absence_ms = absence_ms;
      const auto world = run_of_two(plan, faults, static_cast<std::uint64_t>(at));
      ASSERT_EQ(world.complaint(), "") << "killed at " << at;
      ASSERT_TRUE(world.outcome());
    }
}

// Nothing is decided and nothing committed, as where it was stopped; and yet it goes on.
TEST(GivenTwoSites, WhenTheCoordinatorPlansAgainForEverThenThatIsSeen) {
  auto plan = plan_of(2);
  plan.rounds = 1'000'000, plan.latest = Instant::never();
  ModelledWorld world(plan, 1, {});
  for (int i = 0; i < 2; ++i) world.add(ModelledSite(1, 0)); // too small for what is wanted
  world.run();
  EXPECT_FALSE(world.outcome());
  EXPECT_EQ(complaint_of(plan, world.trial().end()), "");
  EXPECT_EQ(world.complaint(), "the coordinator does not come to its end");
}

// ---- what is seen of an end that may not be -----------------------------------------------------

// Two sites that have committed what is told of them.
TrialEnd all_of_two() {
  TrialEnd end;
  CoallocationOutcome outcome{CoallocationEnd::all, {}, ""};
  for (const auto* name : {"s0", "s1"}) {
    outcome.sites.push_back(
        {{name, Instant{100}, "R1", "v1.k", {}}, SiteState::committed, std::string()});
    end.sites.push_back(
        {{"R1", "t77.1.0", Instant{100}, 90'000, 120'000, HoldState::committed, "v1.k"}});
  }
  end.outcome = std::move(outcome), end.is_decided = true, end.told_ms = 50'000;
  return end;
}

std::string complaint_of_two(const TrialEnd& end) { return complaint_of(plan_of(2), end); }

// M11.4
TEST(GivenTheEndOfATrial, WhenASiteHasNotDoneAsTheOthersThenThatIsSeen) {
  EXPECT_EQ(complaint_of_two(all_of_two()), "");
  for (const auto state : {HoldState::aborted, HoldState::released}) {
    auto end = all_of_two();
    end.sites[1][0].state = state;
    EXPECT_NE(complaint_of_two(end), "");
    end.outcome->end = CoallocationEnd::none;
    EXPECT_EQ(complaint_of_two(end), "none, and yet some have committed");
    end.outcome->end = CoallocationEnd::mixed;
    EXPECT_EQ(complaint_of_two(end), "mixed, and yet some were not given back");
    end.sites[0][0].state = state;
    EXPECT_EQ(complaint_of_two(end),
              state == HoldState::released ? "" : "mixed, and yet none has committed");
  }
}

// M5.7: nobody can give back what was over when the other was found to be lost.
TEST(GivenTheEndOfATrial, WhenWhatWasNotGivenBackIsOverThenItMayBeMixed) {
  auto end = all_of_two();
  end.outcome->end = CoallocationEnd::mixed;
  end.sites[1][0].state = HoldState::aborted, end.told_ms = 120'000;
  EXPECT_EQ(complaint_of_two(end), "");
}

// M11.5
TEST(GivenTheEndOfATrial, WhenAHoldIsLeftThenThatIsSeen) {
  auto end = all_of_two();
  end.sites[0].push_back(end.sites[0][0]);
  end.sites[0][1].state = HoldState::held, end.sites[0][1].transaction = "t77.2.0";
  EXPECT_EQ(complaint_of_two(end), "a hold outlives its lease");
}

TEST(GivenTheEndOfATrial, WhenSomethingElseIsToldThanASiteHasThenThatIsSeen) {
  auto end = all_of_two();
  end.sites[1].push_back(end.sites[1][0]);
  EXPECT_EQ(complaint_of_two(end), "two holds were made for one TXID"); // M5.8
  end.sites[1][1].transaction = "t77.2.1";
  EXPECT_EQ(complaint_of_two(end), "s1 has committed two reservations");
  end = all_of_two(), end.sites[1][0].reservation = "R2";
  EXPECT_EQ(complaint_of_two(end), "what is told of s1 is not what it has");
  end = all_of_two(), end.sites[1][0].start = Instant{101};
  EXPECT_EQ(complaint_of_two(end), "what is told of s1 is not what it has");
  end.outcome->sites[1].grant.start = Instant{101};
  EXPECT_EQ(complaint_of_two(end), "the starts differ by more than the skew");
  end = all_of_two(), end.outcome.reset();
  EXPECT_EQ(complaint_of_two(end), "nobody heard of what was decided");
}

} // namespace
} // namespace almanac
