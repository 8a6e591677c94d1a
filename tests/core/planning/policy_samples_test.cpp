// The sample conditions of share/plus (spec/plus.md section 7, T1 to T4), through the planner.
#include "policy_fixture.hpp"

using namespace almanac;

// plus.md T1: P7.61
TEST_F(GivenConditionsOfTheSite, WhenStatusDecidesThenOnlyIdleLivingNodesAreReserved) {
  named_hosts({"a", "b", "c", "d", "x1", "e"});
  sample("status.ad");
  load("a", 30), load("b", 31), load("c", 0), load("d", 0), load("x1", 0);
  auto on_c = job("runs", "60");
  on_c.queues = {"all.q@c"};
  running(on_c);
  lose("d");
  // P7.62 to P7.67: only a
  EXPECT_EQ(free_nodes(root, whole(1, hour)), "a");
  EXPECT_EQ(places(granted(root, whole(1, hour))), "a=1");
  const auto refused = prepare(root, whole(2, 3 * hour));
  EXPECT_TRUE(is_by_site(refused));
  EXPECT_TRUE(says(refused, "host \"b\" does not meet the conditions of this site: "
                            "PLUS_CANDIDATE_NODE.loadavg <= 0.3 is false "
                            "(PLUS_CANDIDATE_NODE.loadavg=0.31)"))
      << text(refused);
  EXPECT_TRUE(says(refused, "PLUS_CANDIDATE_NODE.nRunJobs == 0 is false")) << text(refused);
  EXPECT_TRUE(says(refused, "not enough nodes: requested 2, available 1")) << text(refused);
  EXPECT_TRUE(says(refused, "refuse 5 more")) << text(refused);
  EXPECT_FALSE(says(refused, "x1")) << "three hosts are enough to see why: " << text(refused);
}

// plus.md T2: P7.68 to P7.76
TEST_F(GivenConditionsOfTheSite, WhenLeadTimeDecidesThenAnEarlyRequestGetsFewerNodes) {
  hosts(10, 1);
  sample("lead_time.ad");
  const auto v1 = user("v1"), g1 = user("g1"), z = user("z");
  EXPECT_EQ(most(v1, hour, hour), 10);       // P7.77
  EXPECT_EQ(most(g1, 10 * minute, hour), 9); // P7.78
  EXPECT_EQ(most(g1, 30 * minute, hour), 9); // P7.79
  EXPECT_EQ(most(g1, 75 * minute, hour), 7); // P7.80
  EXPECT_EQ(most(g1, 2 * hour, hour), 5);    // P7.81
  EXPECT_EQ(most(z, 10 * minute, hour), 5);  // P7.82
  EXPECT_EQ(most(z, 75 * minute, hour), 4);  // P7.83
  EXPECT_EQ(most(z, 3 * hour, hour), 3);     // P7.84
  EXPECT_EQ(most(v1, 0, hour), 0);           // P7.85
  EXPECT_EQ(most(v1, 7 * day, hour), 0);     // P7.86
  EXPECT_EQ(most(v1, 7 * day - 1, hour), 10);
  EXPECT_EQ(most(v1, hour, 2 * day), 0); // P7.87
  EXPECT_EQ(most(v1, hour, 2 * day - 1), 10);
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P7.88: the sample that we ship counts in whole numbers.
TEST_F(GivenConditionsOfTheSite, WhenAShareIsAllOfThemThenItIsAllOfThem) {
  hosts(29, 1);
  sample("lead_time.ad");
  EXPECT_EQ(most(user("v1"), hour, hour, 29), 29);
  condition("size(PLUS_ALLOCATED_NODES) + 1 <= size(PLUS_ALL_NODES) * 0.01 * 100");
  EXPECT_EQ(most(user("z"), hour, hour, 29), 28);
}

// plus.md T3: P7.55, P7.56, P7.89 to P7.91
TEST_F(GivenConditionsOfTheSite, WhenUseIsCappedThenManyReservationsAreTooMany) {
  hosts(1, 1);
  const auto u = user("u");
  sample("usage_cap.ad");
  for (std::int64_t i = 0; i < 100; ++i) granted(u, whole(1, hour + i * 100, minute));
  const auto last = granted(u, whole(1, 10 * hour, minute)); // P7.90
  EXPECT_FALSE(may(u, whole(1, 11 * hour, minute)));         // P7.91
  EXPECT_TRUE(may(root, whole(1, 11 * hour, minute))) << "each owner has an own measure";
  ReservationRequest later;
  later.end = {now.seconds + 10 * hour + 2 * minute};
  EXPECT_EQ(prepare(u, later, 0, last).exit_code, 0) << "it is not counted itself: P7.59";
  EXPECT_EQ(remove(u, last, ReservationVerb::destroy).exit_code, 0);
  EXPECT_TRUE(may(u, whole(1, 11 * hour, minute)));
}

// plus.md P7.92, P7.93
TEST_F(GivenConditionsOfTheSite, WhenUseIsCappedThenLengthAndNodeHoursCount) {
  hosts(27, 1);
  sample("usage_cap.ad");
  const auto u = user("u"), v = user("v"), w = user("w"), x = user("x");
  granted(u, whole(1, hour, 48 * hour));
  EXPECT_TRUE(may(u, whole(1, 60 * hour, hour)));
  granted(v, whole(1, hour, 48 * hour + minute));
  EXPECT_FALSE(may(v, whole(1, 60 * hour, hour)));
  granted(w, whole(25, 60 * hour, 40 * hour));
  EXPECT_TRUE(may(w, whole(1, 110 * hour, hour)));
  granted(x, whole(26, 120 * hour, 40 * hour));
  EXPECT_FALSE(may(x, whole(1, hour, hour)));
}

// plus.md P7.94, P7.95
TEST_F(GivenConditionsOfTheSite, WhenUseIsCappedThenOnlyWhatLiesInItsTimeCounts) {
  hosts(2, 1);
  sample("usage_cap.ad");
  const auto u = user("u"), v = user("v");
  granted(v, whole(1, 7 * day - 10 * hour, 40 * hour));
  granted(v, whole(1, hour, 38 * hour));
  EXPECT_TRUE(may(v, whole(1, 60 * hour, hour))) << "10 h of 40 h";
  granted(v, whole(1, 60 * hour, minute));
  EXPECT_FALSE(may(v, whole(1, 70 * hour, hour)));
  const auto old = granted(u, whole(1, 0, 49 * hour));
  EXPECT_FALSE(may(u, whole(1, 60 * hour, hour)));
  now = now + Duration{49 * hour};
  due(old);
  EXPECT_FALSE(may(u, whole(1, 60 * hour, hour))) << "an expired one counts: P7.57";
  now = now + Duration{8 * day};
  EXPECT_TRUE(may(u, whole(1, 60 * hour, hour)));
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P7.57, P7.58
TEST_F(GivenConditionsOfTheSite, WhenUseIsCappedThenHeldOnesCountAndCanceledOnesUpToThen) {
  hosts(4, 1);
  sample("usage_cap.ad");
  const auto u = user("u");
  ASSERT_EQ(prepare(u, whole(1, hour, 49 * hour), 60).exit_code, 0);
  EXPECT_FALSE(may(u, whole(1, hour, hour))) << "Held";
  now = now + Duration{60};
  EXPECT_TRUE(may(u, whole(1, hour, hour))) << "it has lapsed";
  const auto waits = granted(u, whole(1, hour, 49 * hour));
  EXPECT_FALSE(may(u, whole(1, hour, hour))) << "Confirm";
  ASSERT_EQ(remove(u, waits, ReservationVerb::cancel).exit_code, 0);
  EXPECT_TRUE(may(u, whole(1, hour, hour))) << "canceled before it began";
  const auto runs = granted(u, whole(1, 0, 100 * hour));
  EXPECT_FALSE(may(u, whole(1, 49 * hour, hour))) << "Running";
  now = now + Duration{47 * hour};
  ASSERT_EQ(remove(u, runs, ReservationVerb::cancel).exit_code, 0);
  EXPECT_TRUE(may(u, whole(1, 49 * hour, hour))) << "47 h of it were";
  granted(u, whole(1, hour, hour + minute));
  EXPECT_FALSE(may(u, whole(1, 49 * hour, hour)));
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P7.122: reservations by slots count, too, and what was deleted does not.
TEST_F(GivenConditionsOfTheSite, WhenUseIsCappedThenOnesBySlotsHaveTheirHosts) {
  hosts(4, 2);
  const auto u = user("u");
  reserve(u, on_pe(window(now.seconds + hour, 2 * hour), "fill", 5));
  write("Used = plus_rsvutil(PLUS_RSV_OWNER, absTime(), absTime() + relTime(\"1d\"));"
        "PLUS_NODE_RESERVABLE = Used[0] == 1 && Used[2] == 6.0");
  EXPECT_TRUE(may(u, whole(1, 10 * hour)));
  ASSERT_EQ(command(u, DeleteReservations{{"1"}, {}, false}).exit_code, 0);
  EXPECT_FALSE(may(u, whole(1, 10 * hour)));
}

// plus.md T4
TEST_F(GivenConditionsOfTheSite, WhenProjectsHaveNodesThenTheirUsersGetThese) {
  named_hosts({"n1", "n2", "n3", "n4"});
  sample("node_groups.ad");
  const auto u = user("u"), v = user("v"), w = user("w"), x = user("x");
  EXPECT_EQ(free_nodes(u, whole(1)), "n1,n2,n3,n4"); // P7.96
  EXPECT_TRUE(may(u, whole(4)));
  EXPECT_EQ(free_nodes(v, whole(1)), "n1,n2"); // P7.97
  EXPECT_TRUE(may(v, whole(2)));
  EXPECT_FALSE(may(v, whole(3)));
  EXPECT_EQ(free_nodes(w, whole(1)), "n3,n4"); // P7.98
  EXPECT_EQ(places(granted(w, whole(2))), "n3=1 n4=1");
  EXPECT_EQ(free_nodes(x, whole(1, 5000)), ""); // P7.99
  EXPECT_FALSE(may(x, whole(1, 5000)));
}
