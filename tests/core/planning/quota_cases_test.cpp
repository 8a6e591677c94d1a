// Cases of docs/spec/quotas.md, section 8, that scenarios can't say: unix groups, places, and times to
// the second. The others are in tests/scenarios/quota_slots.txt and quota_resources.txt.
#include "quota_fixture.hpp"

using namespace almanac;

namespace {

// The world of section 8; "vf" is called "ram", since that is another one's shortcut.
class GivenTheWorldOfTheCases : public QuotaFixture {
public:
  GivenTheWorldOfTheCases() {
    steady_hosts(3, 20);
    std::int64_t count = 4;
    for (const char* host : {"h1", "h2", "h3"}) {
      tell(HostRegistered{host, {"lx-amd64", count, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
      count = 2;
    }
    queue("all.q", {{"pe_list", "mpi smp fill"}});
    queue("long.q", {{"hostlist", "@allhosts"},
                     {"slots", "20"},
                     {"pe_list", "mpi smp fill"},
                     {"load_thresholds", "NONE"}});
    complex("lic", "lic INT <= YES YES 0 0");
    complex("ram", "ram MEMORY <= YES YES 1g 0");
    complex("tok", "tok INT <= YES JOB 0 0");
    complex("disk", "dsk INT <= YES HOST 0 0");
    complex("tmem", "tmem MEMORY <= YES NO 0 0");
    offer("global", "lic=100,ram=100g,tok=100");
    for (const char* host : {"h1", "h2", "h3"}) offer(host, "tmem=8G,disk=100");
    host_group("@lin", "h1 h2");
    userset("staff", "ann,bob"), userset("eng", "@engrp");
    scheduler({{"max_reservation", "5"}});
    for (const char* name : {"p1", "p9"}) project(name);
  }
  /// The line of qstat -j with what a counter lacks; "" if there is none.
  std::string denial(const std::string& key, const std::string& rule) const {
    const auto all = why(last);
    const auto at =
        all.find("cannot run because it exceeds limit \"" + key + "\" in rule \"" + rule + "\"");
    return at == std::string::npos ? "" : all.substr(at, all.find('\n', at) - at);
  }
  bool is_denied(const std::string& key, const std::string& rule) const {
    return !denial(key, rule).empty();
  }
  static JobRequest on(const std::string& place) { return in_queue(place); }

  const Caller ann = user("ann"), bob = user("bob"), ben = user("ben"), cyd = user("cyd"),
               dan = user("dan", "engrp");
};

} // namespace

// Case 1; Q7.1, Q7.5
TEST_F(GivenTheWorldOfTheCases, WhenALimitIsReachedThenTheMessageSaysWhichAndByWhom) {
  quotas("A", {"to slots=3"});
  for (const auto& who : {ann, bob, ann}) EXPECT_TRUE(starts(who, wants()));
  EXPECT_FALSE(starts(cyd, wants()));
  EXPECT_EQ(denial("/////", "A/1"), "cannot run because it exceeds limit \"/////\" in rule \"A/1\" "
                                    "(slots=3/3, taken by job 1: 1, job 2: 1, job 3: 1)");
}

TEST_F(GivenTheWorldOfTheCases, WhenWhatRunsHasALimitThenTheMessageSaysWhenEnoughIsFree) {
  quotas("A", {"users {*} to slots=1"});
  EXPECT_TRUE(starts(ann, wants({{"h_rt", "100"}})));
  EXPECT_FALSE(starts(ann, wants({{"h_rt", "10"}})));
  EXPECT_NE(denial("ann/////", "A/1").find("(slots=1/1, taken by job 1: 1, enough is free in "),
            std::string::npos)
      << why(last);
}

// Q7.6
TEST_F(GivenTheWorldOfTheCases, WhenACounterIsMetAtManyPlacesThenItIsNamedOnce) {
  quotas("A", {"users {*} hosts @lin to slots=0", "users * to slots=0"});
  EXPECT_FALSE(starts(ann, wants()));
  const auto all = why(last);
  for (const char* counter : {"\"ann/////\" in rule \"A/1\"", "\"/////\" in rule \"A/2\""}) {
    const auto first = all.find(counter);
    EXPECT_NE(first, std::string::npos) << all;
    EXPECT_EQ(all.find(counter, first + 1), std::string::npos) << all;
  }
}

// Case 5
TEST_F(GivenTheWorldOfTheCases, WhenEachHostOfAGroupHasOnePoolThenTheRestRunsElsewhere) {
  quotas("A", {"users {*} hosts {@lin} to slots=1"});
  const auto place_of = [&](const JobRequest& request) {
    EXPECT_TRUE(starts(ann, request)) << why(last);
    return place(last);
  };
  EXPECT_EQ(place_of(on("*@h1")), "all.q@h1:1");
  EXPECT_EQ(place_of(wants()), "all.q@h2:1");
  EXPECT_EQ(place_of(wants()), "all.q@h3:1");
  EXPECT_EQ(place_of(wants()), "all.q@h3:1");
  EXPECT_FALSE(starts(ann, on("long.q@h1"))) << "both queues of a host draw on one counter";
  EXPECT_TRUE(is_denied("ann////h1/", "A/1"));
}

// Case 8
TEST_F(GivenTheWorldOfTheCases, WhenAUsersetHasAUnixGroupThenItsUsersAreDenied) {
  quotas("A", {"users @eng to slots=0"});
  EXPECT_FALSE(starts(dan, wants()));
  EXPECT_TRUE(is_denied("/////", "A/1"));
  EXPECT_TRUE(starts(user("dan"), wants())) << "in another group";
  EXPECT_TRUE(starts(ann, wants()));
}

// Case 15
TEST_F(GivenTheWorldOfTheCases, WhenALimitIsThatOfProcessorsThenAParallelJobIsSpreadByIt) {
  quotas("A", {"hosts {*} to slots=$num_proc"});
  EXPECT_TRUE(starts(ann, wants({}, "mpi", 8))) << why(last);
  EXPECT_EQ(place(last), "all.q@h1:4 all.q@h2:2 all.q@h3:2");
  EXPECT_FALSE(starts(bob, wants()));
  EXPECT_EQ(denial("////h1/", "A/1"),
            "cannot run because it exceeds limit \"////h1/\" in rule \"A/1\" "
            "(slots=4/4, taken by job 1: 4)");
  EXPECT_TRUE(is_denied("////h2/", "A/1") && is_denied("////h3/", "A/1"));
  tell(HostRegistered{"h2", {"lx-amd64", 3, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
  pass();
  EXPECT_EQ(place(last), "all.q@h2:1") << "with its third processor";
}

TEST_F(GivenTheWorldOfTheCases, WhenALimitIsThatOfCoresThenAHostThatTellsOfThemHasIt) {
  tell(HostRegistered{"h1", {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1", "SCTTCTT"}});
  quotas("A", {"hosts {h1} to slots=$m_core"});
  EXPECT_EQ(limit_on("h1"), "2");
}

// Case 16
TEST_F(GivenTheWorldOfTheCases, WhenALimitIsAFormulaThenItDiffersByHost) {
  quotas("A", {"hosts {@lin} to slots=$num_proc*2-1"});
  EXPECT_EQ(limit_on("h1"), "7");
  EXPECT_EQ(limit_on("h2"), "3");
  EXPECT_TRUE(starts(ann, wants({}, "fill", 1, 99)));
  EXPECT_EQ(place(last), "all.q@h1:7 all.q@h2:3 all.q@h3:20 long.q@h3:20");
}

// Case 20, Case 21; Q4.25
TEST_F(GivenTheWorldOfTheCases, WhenAFixedRequestIsDeniedThenItNeverRuns) {
  quotas("A", {"to tmem=4G"});
  EXPECT_TRUE(starts(ann, wants({{"tmem", "4G"}})));
  EXPECT_TRUE(starts(ann, wants({{"tmem", "4G"}})));
  EXPECT_FALSE(starts(ann, wants({{"tmem", "5G"}})));
  EXPECT_EQ(denial("/////", "A/1"),
            "cannot run because it exceeds limit \"/////\" in rule \"A/1\" (tmem=5G/4G)");
  auto reserves = wants({{"tmem", "5G"}, {"h_rt", "10"}});
  reserves.reserve = true;
  EXPECT_FALSE(starts(ann, reserves));
  EXPECT_TRUE(find(last)->holds.empty()) << "there is no time for it";
}

// Q4.26, Q7.4
TEST_F(GivenTheWorldOfTheCases, WhenAForcedAttributeIsLimitedThenWhoDoesNotAskForItNeverRuns) {
  complex("tmem", "tmem MEMORY <= FORCED NO 0 0");
  offer("h1", "disk=100"), offer("h2", "disk=100");
  quotas("A", {"users ann to tmem=4G"});
  EXPECT_TRUE(starts(bob, wants())) << why(last);
  EXPECT_FALSE(starts(ann, wants()));
  EXPECT_FALSE(is_denied("/////", "A/1")) << why(last);
  EXPECT_NE(
      why(last).find("does not request 'forced' resource \"tmem\", which rule \"A/1\" limits"),
      std::string::npos)
      << why(last);
  EXPECT_TRUE(starts(ann, wants({{"tmem", "1G"}}))) << why(last);
  EXPECT_EQ(place(last), "all.q@h3:1");
}

// Q4.17: nobody meets who is alone.
TEST_F(GivenTheWorldOfTheCases, WhenSomebodyIsExclusiveThenOthersOfTheCounterWait) {
  complex("exclusive", "excl BOOL EXCL YES YES 0 0");
  for (const char* host : {"h1", "h2", "h3"}) offer(host, "exclusive=TRUE");
  quotas("A", {"hosts @lin to exclusive=TRUE"});
  EXPECT_TRUE(starts(ann, wants({{"exclusive", "TRUE"}})));
  ASSERT_EQ(place(last), "all.q@h1:1");
  const auto alone = last;
  EXPECT_TRUE(starts(bob, wants()));
  EXPECT_EQ(place(last), "all.q@h3:1") << "h1 and h2 share a counter";
  EXPECT_FALSE(starts(bob, on("*@h2")));
  EXPECT_EQ(denial("/////", "A/1"), "cannot run because it exceeds limit \"/////\" in rule \"A/1\" "
                                    "(exclusive=TRUE/TRUE, taken by job 1: TRUE)");
  finish(alone), pass();
  EXPECT_TRUE(is_active(last));
  EXPECT_FALSE(starts(ann, in_queue("*@h1", wants({{"exclusive", "TRUE"}}))));
  EXPECT_EQ(denial("/////", "A/1"), "cannot run because it exceeds limit \"/////\" in rule \"A/1\" "
                                    "(exclusive=TRUE/TRUE, taken by job 3: TRUE)");
}

// Q4.17: where nobody may be alone, all others may be there together.
TEST_F(GivenTheWorldOfTheCases, WhenNobodyMayBeExclusiveThenTheOthersStart) {
  complex("exclusive", "excl BOOL EXCL YES YES 0 0");
  for (const char* host : {"h1", "h2", "h3"}) offer(host, "exclusive=TRUE");
  quotas("A", {"users {*} to exclusive=FALSE"});
  EXPECT_TRUE(starts(ann, wants()));
  EXPECT_TRUE(starts(ann, wants()));
  EXPECT_FALSE(starts(ann, wants({{"exclusive", "TRUE"}})));
}

// Q4.25, Q4.30, Q7.5
TEST_F(GivenTheWorldOfTheCases, WhenALimitOfAFixedAttributeIsAFormulaThenItIsThatOfTheHost) {
  for (const char* host : {"h1", "h2", "h3"}) offer(host, "tmem=8G,disk=100,num_proc=2");
  offer("h3", "tmem=8G,disk=100,num_proc=4");
  quotas("A", {"users {*} hosts {*} to tmem=$num_proc*1000"});
  EXPECT_TRUE(starts(ann, wants({{"tmem", "2000"}})));
  EXPECT_TRUE(starts(ann, wants({{"tmem", "4000"}})));
  EXPECT_EQ(place(last), "all.q@h3:1");
  EXPECT_FALSE(starts(ann, wants({{"tmem", "4001"}})));
  EXPECT_EQ(denial("ann////h3/", "A/1"),
            "cannot run because it exceeds limit \"ann////h3/\" in rule \"A/1\" (tmem=4001/4000)");
  EXPECT_TRUE(is_denied("ann////h1/", "A/1"));
}

// Q7.1, Q7.6: a limit that leaves some slots, but too few.
TEST_F(GivenTheWorldOfTheCases, WhenALimitLeavesAParallelJobTooFewSlotsThenItIsNamed) {
  quotas("A", {"pes {*} hosts {*} to slots=2"});
  EXPECT_FALSE(starts(ann, wants({}, "mpi", 7)));
  for (const char* host : {"h1", "h2", "h3"}) {
    const auto key = std::string("//mpi//") + host + "/";
    EXPECT_EQ(denial(key, "A/1"),
              "cannot run because it exceeds limit \"" + key + "\" in rule \"A/1\" (slots=0/2)")
        << why(last);
  }
  EXPECT_TRUE(starts(bob, in_queue("*@h1", wants({}, "smp", 1)))) << why(last);
  EXPECT_FALSE(starts(bob, in_queue("*@h1", wants({}, "smp", 2))));
  EXPECT_EQ(denial("//smp//h1/", "A/1"),
            "cannot run because it exceeds limit \"//smp//h1/\" in rule \"A/1\" "
            "(slots=1/2, taken by job 2: 1)");
  EXPECT_FALSE(is_denied("//smp//h2/", "A/1")) << "nothing is asked for there";
  quotas("A", {"pes {*} hosts {*} to slots=100"});
  EXPECT_FALSE(starts(bob, wants({}, "smp", 41)));
  EXPECT_EQ(why(last).find("exceeds"), std::string::npos) << "the hosts have fewer slots";
}

// Q4.40: what counts has a holder, in a reservation or not.
TEST_F(GivenTheWorldOfTheCases, WhenJobsInReservationsCountThenTheyAreNamedAsHolders) {
  change({ObjectKind::global_configuration, "", {{"qmaster_params", "AR_HONOR_RQS=true"}}});
  quotas("A", {"to slots=2"});
  const auto reservation = reserve(root, on_pe(window(now.seconds, 1'000), "fill", 6));
  due(reservation);
  auto inside = wants({{"h_rt", "100"}}, "fill", 2);
  inside.reservation = {reservation};
  EXPECT_TRUE(starts(root, inside)) << why(last);
  EXPECT_FALSE(starts(root, wants({{"h_rt", "100"}})));
  EXPECT_NE(denial("/////", "A/1").find("(slots=2/2, taken by job 1: 2"), std::string::npos)
      << why(last);
}

// A start at once says what stops it.
TEST_F(GivenTheWorldOfTheCases, WhenALimitStopsAStartAtOnceThenTheRefusalNamesIt) {
  quotas("A", {"to slots=1"});
  EXPECT_TRUE(starts(ann, wants()));
  auto request = wants();
  request.immediate = true;
  const auto refusal = text(command(bob, Submit{request, ""}));
  EXPECT_NE(refusal.find("exceeds limit \"/////\" in rule \"A/1\" (slots=1/1, taken by job 1: 1"),
            std::string::npos)
      << refusal;
}

// Q4.14: as many hosts as the limit has room for.
TEST_F(GivenTheWorldOfTheCases, WhenAConsumableIsPerHostThenEachHostOfAJobTakesOfTheLimit) {
  for (const char* rule : {"to disk=2", "hosts @allhosts to disk=2"}) {
    quotas("A", {rule});
    EXPECT_TRUE(starts(ann, wants({{"disk", "1"}}, "mpi", 3))) << rule << "\n" << why(last);
    EXPECT_EQ(place(last), "all.q@h1:2 all.q@h2:1") << rule;
    EXPECT_EQ(used(), Lines{"A/1 disk /////=2"}) << rule;
    EXPECT_FALSE(starts(ann, wants({{"disk", "1"}}))) << rule;
    command(root, DeleteJobs{{}, {}, {"*"}, true});
  }
}

// Case 25; Q4.37 to Q4.39
TEST_F(GivenTheWorldOfTheCases, WhenAHoldIsPlannedThenOnlyWhatEndsBeforeItIsBackfilled) {
  quotas("A", {"users {*} to slots=4"});
  EXPECT_TRUE(starts(ann, wants({{"h_rt", "100"}}, "smp", 3)));
  auto x = wants({{"h_rt", "100"}}, "smp", 4);
  x.reserve = true;
  EXPECT_FALSE(starts(ann, x));
  ASSERT_EQ(find(last)->holds.size(), 1u) << why(last);
  EXPECT_EQ(find(last)->holds.front().window, (Window{now + Duration{100}, now + Duration{200}}));
  const auto held = last;
  EXPECT_FALSE(starts(ann, wants({{"h_rt", "150"}}))) << "from 100 to 150 it would be 5";
  EXPECT_TRUE(is_denied("ann/////", "A/1"));
  EXPECT_FALSE(starts(ann, wants({{"h_rt", "101"}})));
  EXPECT_TRUE(starts(ann, wants({{"h_rt", "100"}}))) << why(last);
  EXPECT_TRUE(starts(bob, wants({{"h_rt", "150"}}))) << "he has a pool of his own";
  // What was running ends early: what is held moves to where all fits, gaps included (Q4.38).
  finish(1), pass();
  ASSERT_EQ(find(held)->holds.size(), 1u);
  EXPECT_EQ(find(held)->holds.front().window.start, now + Duration{100}) << "behind job 5";
}

// Q4.38
TEST_F(GivenTheWorldOfTheCases, WhenThereIsAGapThenAHoldIsPlannedInIt) {
  quotas("A", {"users {*} to slots=4"});
  EXPECT_TRUE(starts(ann, wants({{"h_rt", "50"}}, "smp", 3)));
  EXPECT_TRUE(starts(ann, wants({{"h_rt", "100"}})));
  const auto held_from = [&](const std::string& limit, std::int64_t slots) {
    auto request = wants({{"h_rt", limit}}, "smp", slots);
    request.reserve = true;
    EXPECT_FALSE(starts(ann, request));
    EXPECT_EQ(find(last)->holds.size(), 1u) << why(last);
    return find(last)->holds.front().window.start - now;
  };
  EXPECT_EQ(held_from("100", 4), Duration{100});
  EXPECT_EQ(held_from("51", 2), Duration{200}) << "the gap from 50 to 100 is too short";
  EXPECT_EQ(held_from("50", 2), Duration{50});
}

// Case 28
TEST_F(GivenTheWorldOfTheCases, WhenHostsArePatternsThenTheyShareThePoolOfEachUser) {
  quotas("A", {"name cap users {b*} hosts h[12] to slots=1"});
  EXPECT_TRUE(starts(bob, on("*@h1")));
  EXPECT_TRUE(starts(bob, wants()));
  EXPECT_EQ(place(last), "all.q@h3:1");
  EXPECT_TRUE(starts(ben, wants()));
  EXPECT_EQ(place(last), "all.q@h1:1");
  EXPECT_FALSE(starts(bob, on("*@h2")));
  EXPECT_EQ(denial("bob/////", "A/cap"),
            "cannot run because it exceeds limit \"bob/////\" in rule \"A/cap\" "
            "(slots=1/1, taken by job 1: 1)");
}

// Case 29
TEST_F(GivenTheWorldOfTheCases, WhenOnePlaceIsDeniedThenOthersAreNot) {
  quotas("A", {"queues long.q hosts h1 to slots=1", "projects p9 to slots=1"});
  EXPECT_TRUE(starts(ann, on("long.q@h1")));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(starts(bob, on("*@h1"))) << why(last);
  EXPECT_TRUE(starts(bob, on("long.q")));
  EXPECT_EQ(place(last), "long.q@h2:1");
}

// Q4.24: a parallel job draws on shared and on single counters.
TEST_F(GivenTheWorldOfTheCases, WhenSeveralCountersLimitAParallelJobThenItShrinksToWhatAllLeave) {
  quotas("A", {"hosts {@lin} to slots=2", "hosts * to slots=5"});
  quotas("B", {"users {*} to slots=8"});
  EXPECT_TRUE(starts(ann, wants({}, "fill", 1, 99)));
  EXPECT_EQ(place(last), "all.q@h1:2 all.q@h2:2 all.q@h3:4");
  EXPECT_FALSE(starts(ann, wants())) << "all of B is used";
  EXPECT_TRUE(starts(bob, wants({}, "fill", 1, 99)));
  EXPECT_EQ(place(last), "all.q@h3:1");
  EXPECT_FALSE(starts(bob, wants({}, "fill", 1, 99)));
  EXPECT_TRUE(is_denied("////h1/", "A/1") && is_denied("////h2/", "A/1") &&
              is_denied("/////", "A/2"))
      << why(last);
}

// Q1.4: the quota says yes, the cell does not.
TEST_F(GivenTheWorldOfTheCases, WhenAQuotaAllowsMoreThanThereIsThenTheRestOfTheLayersDecides) {
  quotas("A", {"users ann to lic=200"});
  EXPECT_FALSE(starts(ann, wants({{"lic", "101"}})));
  EXPECT_FALSE(is_denied("/////", "A/1"));
  EXPECT_TRUE(starts(ann, wants({{"lic", "100"}})));
}

// Q1.4: the quota says no, and so do the cell or the host.
TEST_F(GivenTheWorldOfTheCases, WhenAQuotaAndTheCellDenyThenTheQuotaIsNamed) {
  quotas("A", {"hosts {h1} to lic=0,disk=1", "to lic=0"});
  EXPECT_FALSE(starts(ann, wants({{"lic", "101"}})));
  EXPECT_TRUE(is_denied("/////", "A/2") && is_denied("////h1/", "A/1")) << why(last);
  EXPECT_FALSE(starts(ann, wants({{"lic", "101"}}, "fill", 2, 2)));
  EXPECT_TRUE(is_denied("/////", "A/2")) << why(last);
  EXPECT_FALSE(starts(ann, wants({{"disk", "101"}})));
  EXPECT_TRUE(is_denied("////h1/", "A/1")) << why(last);
  EXPECT_FALSE(starts(ann, wants({{"disk", "101"}}, "fill", 2, 2)));
  EXPECT_TRUE(is_denied("////h1/", "A/1")) << why(last);
}

TEST_F(GivenTheWorldOfTheCases, WhenAQuotaLeavesTooLittleForAParallelJobThenItIsSaidHowMuch) {
  quotas("A", {"users * to slots=4"});
  EXPECT_FALSE(starts(ann, wants({}, "fill", 5, 5)));
  EXPECT_NE(why(last).find("cannot run in PE \"fill\" because it only offers 4 slots"),
            std::string::npos)
      << why(last);
}

// A limit that is lowered leaves what runs alone.
TEST_F(GivenTheWorldOfTheCases, WhenALimitIsLoweredThenWhatRunsGoesOnAndNothingStarts) {
  quotas("A", {"to slots=3"});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(starts(ann, wants()));
  quotas("A", {"to slots=1"});
  EXPECT_FALSE(starts(bob, wants()));
  for (std::int64_t number = 1; number <= 3; ++number) EXPECT_TRUE(is_active(number));
  finish(1), finish(2), pass();
  EXPECT_FALSE(is_active(last)) << "1 of 1 runs";
  finish(3), pass();
  EXPECT_TRUE(is_active(last));
}

// Whoever waits for a limit is looked at again when that changes, and not only when something ends.
TEST_F(GivenTheWorldOfTheCases, WhenALimitIsRaisedOrASetIsDroppedThenWhoWaitsStarts) {
  quotas("A", {"to slots=0"});
  EXPECT_FALSE(starts(ann, wants()));
  const auto first = last;
  quotas("A", {"to slots=1"}), pass();
  EXPECT_TRUE(is_active(first));
  EXPECT_FALSE(starts(ann, wants()));
  const auto second = last;
  switch_set("A", "FALSE"), pass();
  EXPECT_TRUE(is_active(second));
  switch_set("A", "TRUE");
  EXPECT_FALSE(starts(ann, wants()));
  const auto third = last;
  quotas("A", {"users @staff to slots=2"}), pass();
  EXPECT_FALSE(is_active(third));
  userset("staff", "bob"), pass();
  EXPECT_TRUE(is_active(third)) << "ann is no longer in staff";
  host_group("@closed", "h1 h2 h3");
  quotas("A", {"hosts @closed to slots=0"});
  EXPECT_FALSE(starts(ann, wants()));
  host_group("@closed", "h1 h3"), pass();
  EXPECT_EQ(place(last), "all.q@h2:1");
}

// -w v looks at a cluster without jobs (case 30), -w p at it as it is; fixed requests count in both.
TEST_F(GivenTheWorldOfTheCases, WhenAJobIsVerifiedThenOnlyWhatRunsNowCountsForPoke) {
  quotas("A", {"to slots=1"});
  EXPECT_TRUE(starts(ann, wants()));
  const auto verdict = [&](JobRequest request, Validation how) {
    request.validation = how;
    return ask(VerifySubmit{ann, Submit{std::move(request), "hash"}}).exit_code;
  };
  EXPECT_EQ(verdict(wants(), Validation::verify), 0);
  EXPECT_EQ(verdict(wants(), Validation::poke), 1);
  EXPECT_EQ(verdict(wants({}, "smp", 2), Validation::verify), 1);
  quotas("A", {"to arch=bla"});
  EXPECT_EQ(verdict(wants({}, "mpi", 1), Validation::verify), 0) << "it asks for no arch";
  EXPECT_EQ(verdict(wants({{"arch", "lx-amd64"}}), Validation::verify), 1);
}
