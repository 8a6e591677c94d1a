// reservable.ad: the site's own conditions on the hosts of a reservation (spec/plus.md section 7), through
// the planner. What the language means stands in core/policy.
#include "policy_fixture.hpp"

using namespace almanac;

// ---- the file -----------------------------------------------------------------------------------

// plus.md P7.1, P7.2, P7.3
TEST_F(GivenConditionsOfTheSite, WhenThereIsNoFileThenEverythingIsAllowed) {
  hosts(2, 4);
  EXPECT_TRUE(may(root, whole(2)));
  EXPECT_TRUE(condition("false").warnings.empty());
  EXPECT_FALSE(may(root, whole(1)));
  write("");
  EXPECT_EQ(file(), nullptr);
  EXPECT_TRUE(may(root, whole(2)));
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P7.4
TEST_F(GivenConditionsOfTheSite, WhenTheFirstFileIsWrongThenNobodyMayReserveHosts) {
  hosts(2, 4);
  const auto before = granted(root, whole(1));
  const auto decisions = write("PLUS_NODE_RESERVABLE = true &&\n  ;");
  ASSERT_EQ(decisions.warnings.size(), 1u);
  EXPECT_TRUE(says(decisions.warnings.front(), "reservable.ad, line 2"))
      << decisions.warnings.front();
  EXPECT_EQ(file()->text, "");
  const auto refused = prepare(root, whole(1));
  EXPECT_TRUE(is_by_site(refused));
  EXPECT_TRUE(says(refused, "reservable.ad, line 2")) << text(refused);
  EXPECT_EQ(free_nodes(root, whole(1)), "");
  EXPECT_EQ(command(root, Reserve{on_pe(window(now.seconds + 100, 10), "fill", 2)}).exit_code, 0)
      << "slots are no hosts";
  EXPECT_EQ(letter(before), 'w') << "what is granted stays";
  EXPECT_TRUE(write("Bad = {};").warnings.front().find("PLUS_NODE_RESERVABLE is not defined") !=
              std::string::npos);
  condition("true");
  EXPECT_TRUE(may(root, whole(1, 1000)));
}

// plus.md P7.3, P7.4: only where there is no file everything is allowed.
TEST_F(GivenConditionsOfTheSite, WhenAFileIsThereAndCannotBeUsedThenItCountsAsOneThatIsWrong) {
  hosts(2, 4);
  const auto unusable = unusable_site_file("it is not a plain file");
  EXPECT_EQ(write(unusable).warnings.at(0), "reservable.ad, it is not a plain file");
  const auto refused = prepare(root, whole(1));
  EXPECT_TRUE(is_by_site(refused));
  EXPECT_TRUE(says(refused, "it is not a plain file")) << text(refused);
  condition("PLUS_CANDIDATE_NODE.name is \"h2\"");
  write(unusable);
  EXPECT_EQ(file()->error, "reservable.ad, it is not a plain file");
  EXPECT_EQ(free_nodes(root, whole(1)), "h2") << "the one before stays in force";
  write("");
  EXPECT_EQ(free_nodes(root, whole(1)), "h1,h2");
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P7.4
TEST_F(GivenConditionsOfTheSite, WhenALaterFileIsWrongThenTheOneBeforeStaysInForce) {
  hosts(2, 4);
  condition("PLUS_CANDIDATE_NODE.name is \"h2\"");
  EXPECT_EQ(free_nodes(root, whole(1)), "h2");
  EXPECT_EQ(write("PLUS_NODE_RESERVABLE = ").warnings.size(), 1u);
  EXPECT_FALSE(file()->error.empty());
  EXPECT_EQ(free_nodes(root, whole(1)), "h2");
  auto restored = Planner::restore(planner.state().records().copy());
  ASSERT_TRUE(restored.ok());
  EXPECT_EQ(restored->digest(), planner.digest());
  ASSERT_NE(restored->state().site_policy().conditions(), nullptr);
  planner = std::move(*restored);
  tell(Restarted{});
  EXPECT_EQ(free_nodes(root, whole(1)), "h2");
  EXPECT_FALSE(may(root, whole(2)));
  EXPECT_EQ(replayed(), planner.digest());
}

// ---- the flow -----------------------------------------------------------------------------------

// plus.md P7.5: in the order in which hosts are taken, and only as many as are needed.
TEST_F(GivenConditionsOfTheSite, WhenAHostIsRefusedThenTheNextOneIsTried) {
  hosts(4, 4);
  queue("all.q", {{"seq_no", "5,[h4=1]"}});
  condition("PLUS_CANDIDATE_NODE.name != \"h1\"");
  EXPECT_EQ(places(granted(root, whole(2))), "h4=4 h2=4");
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P7.6
TEST_F(GivenConditionsOfTheSite, WhenTheyAllowWhatIsTakenThenItIsTakenAllTheSame) {
  hosts(2, 4);
  condition("true");
  granted(root, whole(1));
  const auto refused = prepare(root, whole(2));
  EXPECT_EQ(ggf::status_of(refused).code, -30) << "the site has nothing to do with it";
  EXPECT_TRUE(says(refused, "not enough nodes: requested 2, available 1")) << text(refused);
  condition("PLUS_CANDIDATE_NODE.name is \"h1\"");
  EXPECT_TRUE(is_by_site(prepare(root, whole(1)))) << "h1 is taken, h2 is refused";
  EXPECT_EQ(ggf::status_of(prepare(root, whole(2))).code, -30) << "nor would it be enough";
}

// plus.md P7.7 and its example
TEST_F(GivenConditionsOfTheSite, WhenAResultIsNoTruthThenItCountsAsFalseAndIsToldOnce) {
  hosts(2, 4);
  condition("1");
  const auto ask_for_one = [&] {
    return handle(
        Command{root, PrepareReservation{"one", {}, ReservationVerb::change, whole(1), {}}});
  };
  const auto first = ask_for_one();
  EXPECT_EQ(first.answer->exit_code, 1);
  ASSERT_EQ(first.warnings.size(), 1u);
  EXPECT_TRUE(says(first.warnings.front(), "h1: 1")) << first.warnings.front();
  EXPECT_TRUE(ask_for_one().warnings.empty());
  condition("1/0 == 1");
  EXPECT_EQ(ask_for_one().warnings.size(), 1u) << "of another file";
  condition("PLUS_CANDIDATE_NODE.loadavg < 1");
  EXPECT_TRUE(says(*ask_for_one().answer, "is undefined"));
  condition("false");
  EXPECT_TRUE(ask_for_one().warnings.empty());
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P7.8
TEST_F(GivenConditionsOfTheSite, WhenTheySayNothingOfItThenAHostThatIsDownIsReservedForLater) {
  hosts(2, 4);
  lose("h1");
  condition("true");
  EXPECT_EQ(free_nodes(root, whole(1)), "h2,h1");
  condition("PLUS_CANDIDATE_NODE.isAlive");
  EXPECT_EQ(free_nodes(root, whole(1)), "h2");
  EXPECT_FALSE(may(root, whole(2)));
}

// plus.md P7.9: where healthy ones are refused, others may do.
TEST_F(GivenConditionsOfTheSite, WhenHealthyHostsAreRefusedThenOthersAreTried) {
  hosts(2, 4);
  lose("h1");
  condition("PLUS_CANDIDATE_NODE.name is \"h1\"");
  const auto ar = granted(root, whole(1));
  EXPECT_EQ(places(ar), "h1=4");
  EXPECT_EQ(letter(ar), 'W');
}

// plus.md P7.10 and its example
TEST_F(GivenConditionsOfTheSite, WhenALoadIsMeasuredThenItsStepCounts) {
  hosts(1, 4);
  sample("status.ad");
  tell(LoadChanged{"h1", quantised({31, 31, 31, -1, -1, -1, -1}, 8LL << 30)});
  EXPECT_TRUE(may(root, whole(1)));
}

// ---- variables ----------------------------------------------------------------------------------

// plus.md P7.11 to P7.17
TEST_F(GivenConditionsOfTheSite, WhenTheyLookAtTheRequestThenTheySeeAllOfIt) {
  hosts(3, 4);
  const auto u = user("u");
  auto request = whole(2, hour, 2 * hour);
  request.users = {"bob"};
  for (const auto* condition_text :
       {"PLUS_RSV_OWNER is \"u\"", "PLUS_RSV_NODES == 2", "member(\"bob\", PLUS_RSV_USERS)",
        "member(\"u\", PLUS_RSV_USERS)", "PLUS_RSV_END - PLUS_RSV_START == relTime(\"2h\")",
        "PLUS_RSV_START - absTime() == relTime(\"1h\")", "size(PLUS_ALL_NODES) == 3",
        "PLUS_ALL_NODES[2].name is \"h3\"",
        "size(PLUS_ALLOCATED_NODES) == 0 || PLUS_ALLOCATED_NODES[0].name is \"h1\"",
        "size(PLUS_ALLOCATED_NODES) < 2"}) {
    condition(condition_text);
    EXPECT_TRUE(may(u, request)) << condition_text;
  }
  condition("size(PLUS_ALLOCATED_NODES) < 1");
  EXPECT_FALSE(may(u, request));
  EXPECT_TRUE(may(u, whole(1)));
}

// plus.md P7.18 to P7.26
TEST_F(GivenConditionsOfTheSite, WhenTheyLookAtANodeThenTheySeeWhatIsKnownOfIt) {
  hosts(1, 4);
  load("h1", 70);
  for (const auto* part :
       {"name is \"h1\"", "isAlive", "loadavg == 0.7", "nRunJobs == 0", "arch is \"lx-amd64\"",
        "os is \"linux\"", "nCpu == 4", "physMem == 8589934592", "idleTime == relTime(0)"}) {
    condition(std::string("PLUS_CANDIDATE_NODE.") + part);
    EXPECT_TRUE(may(root, whole(1))) << part;
  }
  condition("member(\"all.q\", PLUS_CANDIDATE_NODE.queues)");
  EXPECT_TRUE(may(root, whole(1)));
  condition("member(\"other.q\", PLUS_CANDIDATE_NODE.queues)");
  EXPECT_FALSE(may(root, whole(1)));
  queue("other.q", {{"hostlist", "h1"}, {"slots", "1"}});
  EXPECT_TRUE(may(root, whole(1)));
}

// plus.md P7.21, P7.25
TEST_F(GivenConditionsOfTheSite, WhenJobsComeAndGoThenTheyAreCountedAndIdleTimeBegins) {
  hosts(1, 4);
  condition("PLUS_CANDIDATE_NODE.idleTime >= relTime(\"5m\")");
  EXPECT_FALSE(may(root, whole(1, 10 * hour)));
  now = now + Duration{5 * minute};
  EXPECT_TRUE(may(root, whole(1, 10 * hour))) << "nobody has left it since the file came";
  const auto number = running(job("runs", "60")), other = running(job("too", "60"));
  EXPECT_FALSE(may(root, whole(1, 10 * hour)));
  condition("PLUS_CANDIDATE_NODE.nRunJobs == 2");
  EXPECT_TRUE(may(root, whole(1, 10 * hour)));
  end(number), end(other);
  EXPECT_FALSE(may(root, whole(1, 10 * hour)));
  condition("PLUS_CANDIDATE_NODE.idleTime == relTime(\"2m\")");
  now = now + Duration{2 * minute};
  EXPECT_TRUE(may(root, whole(1, 10 * hour)));
  EXPECT_EQ(replayed(), planner.digest());
}

// ---- what is held or granted --------------------------------------------------------------------

// plus.md P7.119
TEST_F(GivenConditionsOfTheSite, WhenTheyChangeThenACommitAsksNobody) {
  hosts(2, 4);
  condition("true");
  const auto held = prepare(root, whole(2), 60);
  condition("false");
  EXPECT_EQ(settle(root, held.number, true).exit_code, 0);
  EXPECT_EQ(places(held.number), "h1=4 h2=4");
  now = now + Duration{100};
  due(held.number);
  EXPECT_EQ(letter(held.number), 'r');
}

TEST_F(GivenConditionsOfTheSite, WhenAReservationChangesThenTheyAreAskedOnlyAboutWhatIsNew) {
  hosts(3, 4);
  const auto ar = granted(root, whole(2, 1000, 1000));
  condition("PLUS_CANDIDATE_NODE.name is \"h3\"");
  ReservationRequest change;
  change.end = {now.seconds + 1500};
  EXPECT_EQ(prepare(root, change, 0, ar).exit_code, 0) << "it only gives away";
  change.end = {now.seconds + 1600};
  EXPECT_TRUE(is_by_site(prepare(root, change, 0, ar))) << "another time";
  change = {};
  change.nodes = 3;
  EXPECT_EQ(prepare(root, change, 0, ar).exit_code, 0);
  EXPECT_EQ(places(ar), "h1=4 h2=4 h3=4");
  change.nodes = 1;
  EXPECT_EQ(prepare(root, change, 0, ar).exit_code, 0);
  EXPECT_EQ(places(ar), "h1=4");
  condition("size(PLUS_ALLOCATED_NODES) == 0");
  change.nodes = 2;
  EXPECT_TRUE(is_by_site(prepare(root, change, 0, ar))) << "its own node is allocated";
  EXPECT_EQ(replayed(), planner.digest());
}

// plus.md P7.118
TEST_F(GivenConditionsOfTheSite, WhenQralterProlongsOneThenTheyAreAsked) {
  hosts(1, 4);
  const auto ar = granted(root, whole(1, 1000, 1000));
  condition("false");
  AlterReservation longer{{ar}, {"-d"}, {}, false};
  longer.request.duration = {2000}, longer.request.has_duration = true;
  EXPECT_EQ(command(root, longer).exit_code, 1);
  longer.request.duration = {500};
  EXPECT_EQ(command(root, longer).exit_code, 0);
  condition("true");
  longer.request.duration = {2000};
  EXPECT_EQ(command(root, longer).exit_code, 0);
}

// A repair keeps a promise that was given; conditions on lead time would forbid each.
TEST_F(GivenConditionsOfTheSite, WhenAHostIsReplacedThenTheyAreNotAsked) {
  hosts(2, 4);
  auto movable = whole(1);
  movable.repair = Repair::yes;
  const auto ar = granted(root, movable);
  condition("false");
  lose("h1");
  EXPECT_EQ(places(ar), "h2=4");
}

// ---- who reads what -----------------------------------------------------------------------------

// plus.md P7.120
TEST_F(GivenConditionsOfTheSite, WhenTheyLookAtOthersThenTheirReservationsAreNotTold) {
  hosts(1, 4);
  const auto u = user("u");
  granted(root, whole(1, 100, 1000));
  write("Used = plus_rsvutil(\"root\", absTime(), absTime() + relTime(\"1d\"));"
        "PLUS_NODE_RESERVABLE = Used[0] == 0");
  const auto refused = prepare(u, whole(1, 2000));
  EXPECT_TRUE(says(refused, "Used[0] == 0 is false")) << text(refused);
  EXPECT_FALSE(says(refused, "relTime")) << text(refused);
  write("Used = plus_rsvutil(PLUS_RSV_OWNER, absTime(), absTime() + relTime(\"1d\"));"
        "PLUS_NODE_RESERVABLE = Used[0] == 0");
  const auto own = prepare(root, whole(1, 2000));
  EXPECT_TRUE(says(own, "Used={1, ")) << text(own);
}

// ---- metaschedulers -----------------------------------------------------------------------------

// metascheduler.md M4.10, M8.9
TEST_F(GivenConditionsOfTheSite, WhenStartsAreAskedForThenEachHourOfLeadTimeCounts) {
  hosts(10, 1);
  sample("lead_time.ad");
  const auto z = user("z");
  EXPECT_EQ(starts(z, 4, hour), "[1,3600]") << "no lead is no reservation";
  EXPECT_EQ(starts(z, 4, 6 * hour), "[1,7199]");
  EXPECT_EQ(starts(z, 4, 90 * minute), "[1,5399]") << "the end of the search is looked at";
  EXPECT_EQ(starts(z, 3, 6 * hour), "[1,21600]");
  EXPECT_EQ(starts(z, 6, 6 * hour), "");
  EXPECT_EQ(starts(z, 3, 8 * day), "[1,604799]");
  condition("true");
  EXPECT_EQ(starts(z, 6, 6 * hour), "[0,21600]");
  condition("false");
  EXPECT_EQ(starts(z, 6, 6 * hour), "");
}

// metascheduler.md M8.9
TEST_F(GivenConditionsOfTheSite, WhenTheyAreAllThatIsInTheWayThenTheStatusSaysSo) {
  hosts(10, 1);
  sample("lead_time.ad");
  const auto z = user("z");
  const auto status = [&](std::int64_t nodes, std::int64_t lead) {
    auto wanted = earliest(nodes);
    if (lead > 0) wanted.prepare.request.start = now + Duration{lead};
    return ggf::status_of(command(z, wanted)).code;
  };
  EXPECT_EQ(status(6, 0), -22);
  EXPECT_EQ(status(4, 3 * hour), -22);
  EXPECT_EQ(status(11, 0), -31) << "nobody could ever have it";
  EXPECT_EQ(status(3, 3 * hour), 0);
  EXPECT_EQ(status(4, 0), 0);
  EXPECT_EQ(planner.state().reservation_by_number({2})->shape.window.start, now + Duration{1});
  EXPECT_EQ(replayed(), planner.digest());
}
