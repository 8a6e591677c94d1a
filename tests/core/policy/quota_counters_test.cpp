// What is counted of the limits of resource quota sets (docs/spec/quotas.md, section 4).
#include "core/policy/quota_counters.hpp"

#include "quota_fixture.hpp"

using namespace almanac;

namespace {

class GivenCountersOfQuotas : public QuotaFixture {
public:
  GivenCountersOfQuotas() {
    steady_hosts(2, 8);
    queue("all.q", {{"pe_list", "mpi smp fill"}});
    complex("lic", "lic INT <= YES YES 0 0");
    complex("gas", "gas MEMORY <= YES YES 1g 0");
    complex("tok", "tok INT <= YES JOB 0 0");
    complex("disk", "dsk INT <= YES HOST 0 0");
    complex("tmem", "tm MEMORY <= YES NO 0 0");
    complex("exclusive", "excl BOOL EXCL YES YES 0 0");
    offer("global", "lic=100,tok=100,gas=100G");
    offer("h1", "disk=9,tmem=8G"), offer("h2", "disk=9,tmem=8G");
    project("p1"), project("p2");
  }
  /// As it is counted now, and as it would be counted anew.
  Lines counted() const {
    EXPECT_TRUE(state().records().followers_agree());
    return used();
  }
  std::int64_t run(const Caller& caller, const JobRequest& request) {
    EXPECT_TRUE(starts(caller, request)) << why(last);
    return last;
  }
  static JobRequest on(const std::string& host, JobRequest request = wants()) {
    return in_queue("*@" + host, std::move(request));
  }
  const Caller ann = user("ann"), bob = user("bob"), dan = user("dan", "engrp");
};

} // namespace

// ---- keys -------------------------------------------------------------------------------------

TEST_F(GivenCountersOfQuotas, WhenFiltersAreExpandedThenTheKeyNamesTheMember) {
  userset("staff", "ann,bob"), host_group("@lin", "h1");
  run(ann, of_project("p1", on("h1")));
  const std::vector<std::pair<std::string, std::string>> rows{
      {"users * to slots=5", "/////"},                           // Q4.2
      {"users {*} to slots=5", "ann/////"},                      // Q4.3
      {"users {ann,bob} hosts {@lin} to slots=5", "ann////h1/"}, // Q4.4
      {"projects {*} queues {*} to slots=5", "/p1//all.q//"},    // Q4.5
      {"users @staff hosts {*} to slots=5", "////h1/"},          // Q4.6
      {"pes !* to slots=5", "/////"},                            // Q4.1: there, and not expanded
      {"pes {!*} to slots=5", "/////"}, // and expanded, of a sequential job
      {"to slots=5", "/////"},
  };
  for (const auto& [rule, key] : rows) {
    quotas("A", {rule});
    EXPECT_EQ(counted(), Lines{"A/1 slots " + key + "=1"}) << rule;
  }
}

// Q4.1
TEST_F(GivenCountersOfQuotas, WhenAllFiltersAreExpandedThenAllFieldsAreFilled) {
  quotas("A", {"users {*} projects {*} pes {*} queues {*} hosts {*} to slots=9"});
  run(ann, of_project("p1", wants({}, "mpi", 4)));
  EXPECT_EQ(counted(),
            (Lines{"A/1 slots ann/p1/mpi/all.q/h1/=2", "A/1 slots ann/p1/mpi/all.q/h2/=2"}));
}

// Q4.7
TEST_F(GivenCountersOfQuotas, WhenASetIsInBracesThenEachOfItsMembersCountsSingly) {
  userset("staff", "ann,bob");
  quotas("shared", {"users @staff to slots=10"});
  quotas("single", {"users {@staff} to slots=10"});
  run(ann, wants()), run(bob, wants({}, "smp", 2)), run(dan, wants());
  EXPECT_EQ(counted(), (Lines{"shared/1 slots /////=3", "single/1 slots ann/////=1",
                              "single/1 slots bob/////=2"}));
}

// Q4.8
TEST_F(GivenCountersOfQuotas, WhenAJobRunsAtSeveralPlacesThenOnlyThePlacesOfItsKeysDiffer) {
  quotas("A", {"users {*} to slots=9"});
  quotas("B", {"users {*} hosts {*} to slots=9"});
  run(ann, wants({}, "mpi", 3));
  EXPECT_EQ(counted(),
            (Lines{"A/1 slots ann/////=3", "B/1 slots ann////h1/=2", "B/1 slots ann////h2/=1"}));
}

// ---- what is debited --------------------------------------------------------------------------

// Q4.9
TEST_F(GivenCountersOfQuotas, WhenSlotsAreLimitedThenEachGrantedSlotCounts) {
  quotas("A", {"to slots=9"});
  run(ann, wants());
  run(ann, wants({}, "smp", 2, 5));
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=6"});
}

// Q4.10, Q4.12
TEST_F(GivenCountersOfQuotas, WhenAConsumableIsRequestedThenItCountsForEachSlot) {
  quotas("A", {"to lic=50"});
  run(ann, wants());
  EXPECT_EQ(counted(), Lines{}) << "not requested, and the default is 0";
  run(ann, wants({{"lic", "2"}}));
  run(ann, wants({{"lic", "3"}}, "mpi", 4));
  EXPECT_EQ(counted(), Lines{"A/1 lic /////=14"});
}

// Q4.11
TEST_F(GivenCountersOfQuotas, WhenAConsumableHasADefaultThenItCountsUnasked) {
  quotas("A", {"to gas=50G"});
  run(ann, wants({}, "smp", 3));
  EXPECT_EQ(counted(), Lines{"A/1 gas /////=3000000000"});
  run(ann, wants({{"gas", "2g"}}, "smp", 2));
  EXPECT_EQ(counted(), Lines{"A/1 gas /////=7000000000"});
}

// Q4.13
TEST_F(GivenCountersOfQuotas, WhenAConsumableIsPerJobThenItCountsOnceWhereTheMasterIs) {
  quotas("A", {"hosts {*} to tok=9"});
  run(ann, wants({{"tok", "2"}}, "mpi", 4));
  EXPECT_EQ(counted(), Lines{"A/1 tok ////h1/=2"});
  ASSERT_EQ(place(last), "all.q@h1:2 all.q@h2:2");
}

// Q4.14
TEST_F(GivenCountersOfQuotas, WhenAConsumableIsPerHostThenItCountsOnceOnEachHost) {
  quotas("A", {"hosts {*} to disk=9"}), quotas("B", {"to disk=9"});
  run(ann, wants({{"disk", "2"}}, "mpi", 4));
  EXPECT_EQ(counted(), (Lines{"A/1 disk ////h1/=2", "A/1 disk ////h2/=2", "B/1 disk /////=4"}));
}

// Q4.15
TEST_F(GivenCountersOfQuotas, WhenAnAttributeIsFixedThenNothingIsCounted) {
  quotas("A", {"to tmem=4G"});
  run(ann, wants({{"tmem", "4G"}}));
  EXPECT_EQ(counted(), Lines{});
}

// Q4.17
TEST_F(GivenCountersOfQuotas, WhenSomebodyIsNotExclusiveThenEachSlotCountsInACounterOfItsOwn) {
  quotas("A", {"to exclusive=TRUE"});
  run(ann, wants({}, "smp", 3));
  EXPECT_EQ(counted(), Lines{"A/1 exclusive beside /////=3"});
  finish(last);
  EXPECT_EQ(counted(), Lines{});
  offer("h1", "exclusive=TRUE");
  run(ann, wants({{"exclusive", "TRUE"}}));
  EXPECT_EQ(counted(), Lines{"A/1 exclusive /////=1"});
}

// Q4.18, Q4.20
TEST_F(GivenCountersOfQuotas, WhenAnArrayRunsThenEachOfItsRunningTasksCounts) {
  quotas("A", {"users {*} to slots=9,lic=30"});
  auto array = wants({{"lic", "2"}});
  array.tasks = {1, 10, 1}, array.most_running = 3;
  run(ann, array);
  EXPECT_EQ(counted(), (Lines{"A/1 lic ann/////=6", "A/1 slots ann/////=3"}));
}

// Q4.19
TEST_F(GivenCountersOfQuotas, WhenSharesOfAJobMeetOtherRulesThenEachIsCountedWhereItMatches) {
  quotas("A", {"hosts h1 to slots=9", "name rest hosts {*} to slots=9"});
  run(ann, wants({}, "mpi", 5));
  EXPECT_EQ(counted(), (Lines{"A/1 slots /////=3", "A/rest slots ////h2/=2"}));
}

// Q4.20
TEST_F(GivenCountersOfQuotas, WhenAJobWaitsThenNothingIsCounted) {
  quotas("A", {"to slots=9"});
  auto held = wants();
  held.held_by_user = true;
  EXPECT_FALSE(starts(ann, held));
  EXPECT_EQ(counted(), Lines{});
}

// Q4.21
TEST_F(GivenCountersOfQuotas, WhenAJobIsSuspendedThenItKeepsWhatItHas) {
  quotas("A", {"users {*} to slots=2"});
  start(run(ann, wants())), start(run(ann, wants()));
  command(root, ModifyQueues{QueueAction::suspend, {"all.q"}});
  ASSERT_TRUE(find(last)->tasks.front().suspended);
  EXPECT_EQ(counted(), Lines{"A/1 slots ann/////=2"});
  command(root, ModifyQueues{QueueAction::unsuspend, {"*@h2"}});
  EXPECT_FALSE(starts(ann, wants())) << "suspension frees no quota";
}

// Q4.22
TEST_F(GivenCountersOfQuotas, WhenAJobIsRemovedOrTriedAgainThenItsDebitIsGivenBack) {
  quotas("A", {"to slots=9"});
  const auto ended = run(ann, wants()), again = run(ann, wants()), deleted = run(ann, wants());
  for (const auto number : {ended, again, deleted}) start(number);
  end(ended);
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=2"});
  end(again, 99);
  ASSERT_EQ(find(again)->active_tasks(), 0);
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=1"});
  command(ann, DeleteJobs{{std::to_string(deleted)}, {}, {}, false});
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=1"}) << "until its host says that it has ended";
  end(deleted, 137);
  EXPECT_EQ(counted(), Lines{});
  run(ann, wants());
  command(root, DeleteJobs{{std::to_string(last)}, {}, {}, true});
  EXPECT_EQ(counted(), Lines{});
}

// ---- what changes -----------------------------------------------------------------------------

// Q4.33, Q4.34
TEST_F(GivenCountersOfQuotas, WhenASetIsSwitchedOnThenWhatRunsIsCountedAtOnce) {
  quotas("A", {"to slots=1"});
  switch_set("A", "FALSE");
  run(ann, wants()), run(bob, wants());
  EXPECT_EQ(counted(), Lines{});
  switch_set("A", "TRUE");
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=2"});
  EXPECT_FALSE(starts(ann, wants()));
  switch_set("A", "FALSE");
  EXPECT_EQ(counted(), Lines{});
}

// Q4.34
TEST_F(GivenCountersOfQuotas, WhenRulesChangeThenWhatRunsIsCountedAnew) {
  quotas("A", {"users bob to slots=9"});
  run(ann, of_project("p1", on("h1"))), run(bob, on("h2"));
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=1"});
  quotas("A", {"projects {*} to slots=9", "users {*} to slots=9"});
  EXPECT_EQ(counted(), (Lines{"A/1 slots /p1////=1", "A/2 slots bob/////=1"}));
  quotas("B", {"hosts {*} to slots=9"});
  EXPECT_EQ(counted(), (Lines{"A/1 slots /p1////=1", "A/2 slots bob/////=1", "B/1 slots ////h1/=1",
                              "B/1 slots ////h2/=1"}));
  change({ObjectKind::quota_set, "A", {}}, ChangeVerb::erase);
  EXPECT_EQ(counted(), (Lines{"B/1 slots ////h1/=1", "B/1 slots ////h2/=1"}));
}

// Q4.34: what the words of a rule mean.
TEST_F(GivenCountersOfQuotas, WhenAUsersetChangesThenItsMembersAreCountedAtOnce) {
  userset("staff", "ann");
  quotas("A", {"users {@staff} to slots=9", "users * to slots=9"});
  run(ann, wants()), run(bob, wants()), run(dan, wants());
  EXPECT_EQ(counted(), (Lines{"A/1 slots ann/////=1", "A/2 slots /////=2"}));
  userset("staff", "bob,@engrp");
  EXPECT_EQ(counted(),
            (Lines{"A/1 slots bob/////=1", "A/1 slots dan/////=1", "A/2 slots /////=1"}));
  userset("staff", "NONE");
  EXPECT_EQ(counted(), Lines{"A/2 slots /////=3"});
}

TEST_F(GivenCountersOfQuotas, WhenAUsersetComesWhoseNameFitsThenItsMembersAreCountedAtOnce) {
  quotas("A", {"users @eng* to slots=9"});
  run(ann, wants());
  EXPECT_EQ(counted(), Lines{});
  userset("english", "ann");
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=1"});
}

TEST_F(GivenCountersOfQuotas, WhenAHostGroupChangesThenItsHostsAreCountedAtOnce) {
  host_group("@inner", "h1"), host_group("@lin", "@inner");
  quotas("A", {"hosts {@lin} to slots=9"}), quotas("B", {"hosts !@lin to slots=9"});
  run(ann, on("h1")), run(bob, on("h2"));
  EXPECT_EQ(counted(), (Lines{"A/1 slots ////h1/=1", "B/1 slots /////=1"}));
  host_group("@inner", "h1 h2");
  EXPECT_EQ(counted(), (Lines{"A/1 slots ////h1/=1", "A/1 slots ////h2/=1"}));
  host_group("@inner", "h2");
  EXPECT_EQ(counted(), (Lines{"A/1 slots ////h2/=1", "B/1 slots /////=1"}));
}

TEST_F(GivenCountersOfQuotas, WhenAComplexGetsAnotherDefaultThenItIsCountedAtOnce) {
  quotas("A", {"to lic=90"});
  run(ann, wants({}, "smp", 2));
  EXPECT_EQ(counted(), Lines{});
  complex("lic", "lic INT <= YES YES 3 0");
  EXPECT_EQ(counted(), Lines{"A/1 lic /////=6"});
  complex("lic", "lic INT <= YES JOB 3 0");
  EXPECT_EQ(counted(), Lines{"A/1 lic /////=3"});
}

TEST_F(GivenCountersOfQuotas, WhenOneSetChangesThenTheCountersOfOthersStay) {
  quotas("A", {"to slots=9"}), quotas("B", {"users {*} to slots=9"});
  run(ann, wants());
  const auto* table = &state().quotas().table(1);
  quotas("A", {"users ann to slots=9"});
  EXPECT_EQ(&state().quotas().table(1), table);
  quotas("C", {"to slots=9"});
  EXPECT_EQ(&state().quotas().table(1), table);
  EXPECT_EQ(counted(), (Lines{"A/1 slots /////=1", "B/1 slots ann/////=1", "C/1 slots /////=1"}));
  change({ObjectKind::quota_set, "A", {}}, ChangeVerb::erase);
  EXPECT_EQ(&state().quotas().table(0), table);
}

// What is known of parties is kept for sets that stay as they are, wherever these stand by now.
TEST_F(GivenCountersOfQuotas, WhenSetsComeAndGoThenEachOfTheOthersMeansWhatItMeant) {
  quotas("A", {"users ann to slots=9"}), quotas("B", {"users bob to slots=9"});
  quotas("C", {"users {*} hosts h1 to slots=9"});
  run(ann, on("h1")), run(bob, on("h2"));
  change({ObjectKind::quota_set, "A", {}}, ChangeVerb::erase);
  quotas("D", {"users {b*} to slots=9"});
  run(ann, on("h2")), run(bob, on("h1"));
  EXPECT_EQ(counted(), (Lines{"B/1 slots /////=2", "C/1 slots ann/////=1", "C/1 slots bob/////=1",
                              "D/1 slots bob/////=2"}));
  quotas("A", {"users bob to slots=9"}), quotas("B", {"users ann to slots=9"});
  EXPECT_EQ(counted(), (Lines{"A/1 slots /////=2", "B/1 slots /////=2", "C/1 slots ann/////=1",
                              "C/1 slots bob/////=1", "D/1 slots bob/////=2"}));
}

TEST_F(GivenCountersOfQuotas, WhenJobsAskForMoreThanIsLimitedThenOnlyThatIsCounted) {
  quotas("A", {"to lic=50"});
  run(ann, wants({{"lic", "2"}, {"h_rt", "100"}})),
      run(ann, wants({{"h_rt", "200"}, {"tok", "1"}}));
  EXPECT_EQ(counted(), Lines{"A/1 lic /////=2"});
  quotas("B", {"to tok=50"});
  EXPECT_EQ(counted(), (Lines{"A/1 lic /////=2", "B/1 tok /////=1"}));
}

TEST_F(GivenCountersOfQuotas, WhenAPlannerIsRestoredThenItCountsTheSame) {
  quotas("A", {"users {*} hosts {*} to slots=9,lic=50"});
  run(ann, wants({{"lic", "2"}}, "mpi", 4)), run(bob, wants());
  const auto before = counted();
  auto restored = Planner::restore(state().records().copy());
  ASSERT_TRUE(restored.ok()) << restored.what();
  planner = std::move(*restored);
  EXPECT_EQ(used(), before);
}

// ---- reservations and holds ---------------------------------------------------------------------

// Q4.35, Q4.36; case 24 of section 8
TEST_F(GivenCountersOfQuotas, WhenAJobIsInAReservationThenItIsNeitherLimitedNorCounted) {
  quotas("A", {"to slots=0"});
  const auto reservation = reserve(root, on_pe(window(now.seconds, 1'000), "fill", 6));
  due(reservation);
  auto inside = wants({{"h_rt", "100"}}, "fill", 5);
  inside.reservation = {reservation};
  EXPECT_TRUE(starts(root, inside)) << why(last);
  EXPECT_EQ(counted(), Lines{});
  EXPECT_FALSE(starts(root, wants({{"h_rt", "100"}}))) << "outside it is";
}

// Q4.40
TEST_F(GivenCountersOfQuotas, WhenTheSiteWantsItThenJobsInReservationsCountFromThenOn) {
  quotas("A", {"to slots=6"});
  const auto reservation = reserve(root, on_pe(window(now.seconds, 1'000), "fill", 6));
  due(reservation);
  auto inside = wants({{"h_rt", "100"}}, "fill", 5);
  inside.reservation = {reservation};
  EXPECT_TRUE(starts(root, inside)) << why(last);
  EXPECT_EQ(counted(), Lines{});
  const auto honor = [&](const char* word) {
    change({ObjectKind::global_configuration, "", {{"qmaster_params", word}}});
  };
  honor("AR_HONOR_RQS=true");
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=5"});
  EXPECT_TRUE(starts(root, wants({{"h_rt", "100"}})));
  auto second = wants({{"h_rt", "100"}});
  second.reservation = {reservation};
  EXPECT_FALSE(starts(root, second)) << "6 slots are used";
  honor("none");
  EXPECT_EQ(counted(), Lines{"A/1 slots /////=1"});
}

// Q4.37
TEST_F(GivenCountersOfQuotas, WhenAHoldIsPlannedThenItCountsOverItsWindow) {
  scheduler({{"max_reservation", "5"}});
  quotas("A", {"users {*} to slots=4"});
  run(ann, wants({{"h_rt", "100"}}, "smp", 3));
  auto later = wants({{"h_rt", "50"}}, "smp", 4);
  later.reserve = true;
  EXPECT_FALSE(starts(ann, later));
  EXPECT_EQ(counted(), Lines{"A/1 slots ann/////=3"});
  EXPECT_EQ(used_at(now + Duration{99}), Lines{"A/1 slots ann/////=3"});
  EXPECT_EQ(used_at(now + Duration{100}), Lines{"A/1 slots ann/////=4"});
  EXPECT_EQ(used_at(now + Duration{149}), Lines{"A/1 slots ann/////=4"});
  EXPECT_EQ(used_at(now + Duration{150}), Lines{});
  command(root, DeleteJobs{{std::to_string(last)}, {}, {}, false});
  EXPECT_EQ(used_at(now + Duration{100}), Lines{});
  EXPECT_TRUE(state().records().followers_agree());
}

TEST_F(GivenCountersOfQuotas, WhenUsesOfGrantsAreAskedForThenTheyAreWhatATaskWouldTake) {
  quotas("A", {"users {*} to slots=9,tok=9"});
  const auto waiting = submit(ann, wants({{"tok", "1"}}, "mpi", 4));
  const auto job = *find(waiting);
  const std::vector<Grant> grants{{{"all.q", "h1"}, 2}, {{"all.q", "h2"}, 2}};
  Lines lines;
  for (const auto& booking : state().quotas().bookings_of(job, "mpi", grants))
    lines.push_back(booking.resource.name + "=" + std::to_string(booking.amount));
  EXPECT_EQ(lines, (Lines{"slots=4", "tok=1"}));
  EXPECT_TRUE(state().quotas().bookings_of(job, "mpi", {{{"gone.q", "h9"}, 2}}).empty());
  pass();
  EXPECT_EQ(counted(), (Lines{"A/1 slots ann/////=4", "A/1 tok ann/////=1"}));
}
