// reservable.ad: the site's own conditions on the hosts of a reservation (spec/plus.md section 7), through
// the planner. What the language means stands in core/policy.
#include "core/answer/ggf.hpp"
#include "nodes_fixture.hpp"

#include <fstream>
#include <sstream>
#include <utility>

using namespace almanac;

namespace {

constexpr std::int64_t minute = 60, hour = 3'600, day = 86'400;

class GivenConditionsOfTheSite : public NodesFixture {
public:
  Decisions handle(const Input& input) override {
    inputs_.emplace_back(input, now);
    return NodesFixture::handle(input);
  }
  Decisions write(const std::string& text) { return handle(SiteFileRead{"reservable.ad", text}); }
  Decisions condition(const std::string& text) { return write("PLUS_NODE_RESERVABLE = " + text); }
  /// One of share/plus.
  void sample(const std::string& name) {
    std::ifstream file(ALMANAC_POLICIES + name);
    std::stringstream text;
    text << file.rdbuf();
    ASSERT_TRUE(write(text.str()).warnings.empty());
    ASSERT_NE(planner.state().site_policy().conditions(), nullptr);
  }
  void named_hosts(const std::vector<std::string>& names) {
    for (const auto& name : names) {
      ASSERT_EQ(command(root, AddHost{name, 1}).exit_code, 0);
      register_host(name);
    }
  }
  void load(const std::string& host, std::int64_t hundredths) {
    tell(LoadChanged{host, {hundredths, hundredths, hundredths, -1, -1, -1, -1}});
  }
  Caller user(const std::string& name) {
    allow(name);
    return {name, "users", 2000, 2000, "master"};
  }
  /// What plus_availnodes says: "a,b", or "" for none.
  std::string free_nodes(const Caller& who, const ReservationRequest& request) {
    const auto answer = ask(FindNodes{who, request});
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    const auto* nodes = answer.statements.front().find("nodes");
    return nodes ? nodes->text : "";
  }
  /// As many hosts as the user may have at most, one by one and by plus_availnodes.
  std::int64_t most(const Caller& who, std::int64_t lead, std::int64_t length,
                    std::int64_t of = 10) {
    const auto free = ask(FindNodes{who, whole(1, lead, length)}).number;
    for (auto count = of; count > 0; --count) {
      const auto answer = prepare(who, whole(count, lead, length), 60);
      if (answer.exit_code != 0) {
        EXPECT_TRUE(is_by_site(answer)) << text(answer);
        continue;
      }
      EXPECT_EQ(free, count);
      EXPECT_EQ(settle(who, answer.number, false).exit_code, 0);
      return count;
    }
    EXPECT_EQ(free, 0);
    return 0;
  }
  static bool is_by_site(const Answer& answer) {
    return answer.exit_code == 1 && ggf::status_of(answer).code == -22;
  }
  bool may(const Caller& who, const ReservationRequest& request) {
    const auto answer = prepare(who, request, 60);
    if (answer.exit_code != 0) {
      EXPECT_TRUE(is_by_site(answer)) << text(answer);
      return false;
    }
    EXPECT_EQ(settle(who, answer.number, false).exit_code, 0);
    return true;
  }
  const SiteFile* file() const { return planner.state().records().find<SiteFile>("reservable.ad"); }
  /// What all inputs come to, decided again.
  std::uint64_t replayed() const {
    auto again = Planner::restore(Planner::initial_records("root", "master"));
    for (const auto& [input, at] : inputs_)
      again->handle(std::get<ValidInput>(validated_input(input)), at);
    return again->digest();
  }
  ReserveEarliest earliest(std::int64_t nodes, std::int64_t length = hour) const {
    ReserveEarliest command;
    auto& request = command.prepare.request;
    request.nodes = nodes, request.whole_nodes = true;
    request.duration = {length}, request.has_duration = true;
    return command;
  }
  /// "[1,3600]", seconds from now on.
  std::string starts(const Caller& who, std::int64_t nodes, std::int64_t latest) {
    StartsQuery query;
    query.request = earliest(nodes).prepare.request;
    query.search.latest = now + Duration{latest};
    std::string text;
    for (const auto& said : ask(AskStarts{who, query}).statements) {
      const auto since = [&](const char* name) {
        return std::to_string(said.find(name)->number - now.seconds);
      };
      text += (text.empty() ? "[" : " [") + since("first") + "," + since("last") + "]";
    }
    return text;
  }

private:
  std::vector<std::pair<Input, Instant>> inputs_;
};

} // namespace

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

// ---- the samples --------------------------------------------------------------------------------

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
