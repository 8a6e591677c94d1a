// The sample policies of share/plus with every row of their tables, and the flow of a request
// (docs/spec/plus.md section 7).
#include "core/policy/reservable.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace almanac;

namespace {

constexpr Instant now{1'700'000'000};
constexpr std::int64_t minute = 60, hour = 3'600, day = 86'400;

Reservable sample(const std::string& name) {
  std::ifstream file(ALMANAC_POLICIES + name);
  std::stringstream text;
  text << file.rdbuf();
  auto policy = Reservable::parse(text.str());
  EXPECT_TRUE(policy.ok()) << name << ": " << policy.what();
  return std::move(*policy);
}

Reservable policy_of(const std::string& condition) {
  auto policy = Reservable::parse("PLUS_NODE_RESERVABLE = " + condition);
  EXPECT_TRUE(policy.ok()) << policy.what();
  return std::move(*policy);
}

PolicyNode node(const std::string& name, std::int64_t jobs = 0, bool is_alive = true,
                std::optional<std::int64_t> load = 0) {
  PolicyNode node;
  node.name = name, node.is_alive = is_alive, node.load = load, node.running_jobs = jobs;
  return node;
}

std::vector<PolicyNode> nodes(int count) {
  std::vector<PolicyNode> all;
  for (int i = 1; i <= count; ++i) all.push_back(node("n" + std::to_string(i)));
  return all;
}

PolicyRequest request(const std::string& owner, std::int64_t lead = hour,
                      std::int64_t length = hour) {
  return {owner, {{now.seconds + lead}, {now.seconds + lead + length}}, 1, {owner}};
}

/// The names of the nodes that the request gets, where it wants `wanted`; "refused".
std::string chosen(const Reservable& policy, const PolicyRequest& asked,
                   const std::vector<PolicyNode>& all, std::size_t wanted, UsageOf usage = {}) {
  ReservableCheck check(policy, asked, policy_nodes(all), std::move(usage), now);
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < all.size(); ++i) candidates.push_back(i);
  const auto found = choose(check, candidates, wanted);
  if (!found) return "refused";
  std::string text;
  for (const auto place : *found) text += (text.empty() ? "" : " ") + all[place].name;
  return text;
}

/// As many nodes as it may have at most.
std::size_t most(const Reservable& policy, const PolicyRequest& asked, UsageOf usage = {}) {
  const auto all = nodes(10);
  std::size_t count = 0;
  while (count < 10 && chosen(policy, asked, all, count + 1, usage) != "refused") ++count;
  return count;
}

std::string shown(const std::vector<AdReason>& reasons) {
  std::string text;
  for (const auto& reason : reasons) {
    text += reason.expression + " is " + reason.result + ":";
    for (const auto& [name, value] : reason.values) text += " " + name + "=" + value;
  }
  return text;
}

UsageOf usage_of(const std::vector<UsedReservation>& reservations) {
  return [=](const std::string&, Window within) { return usage_within(reservations, within); };
}
// From `from`, counted from now, for so long.
UsedReservation used(std::int64_t from, std::int64_t length, std::int64_t count) {
  return {{{now.seconds + from}, {now.seconds + from + length}}, count, {}};
}

} // namespace

// T1: P7.61
TEST(GivenThePolicyOnStatus, WhenNodesAreTriedThenOnlyIdleLivingOnesAreReservable) {
  const auto policy = sample("status.ad");
  const std::vector<PolicyNode> all{node("a", 0, true, 300'000), // P7.62
                                    node("b", 0, true, 310'000), // P7.63
                                    node("c", 1, true, 0),       // P7.64
                                    node("d", 0, false, 0),      // P7.65
                                    node("X1", 0, true, 0),      // P7.66
                                    node("e", 0, true, {})};     // P7.67
  ReservableCheck check(policy, request("u"), policy_nodes(all), {}, now);
  EXPECT_TRUE(check.admits(0));
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_FALSE(check.admits(i)) << all[i].name;
  EXPECT_EQ(check.odd_result(), "e: undefined"); // P7.7
  EXPECT_EQ(shown(check.reasons(0)), "");
  EXPECT_EQ(shown(check.reasons(1)), "PLUS_CANDIDATE_NODE.loadavg <= 0.3 is false: "
                                     "PLUS_CANDIDATE_NODE.loadavg=0.31");
  EXPECT_EQ(shown(check.reasons(2)),
            "PLUS_CANDIDATE_NODE.nRunJobs == 0 is false: PLUS_CANDIDATE_NODE.nRunJobs=1");
  EXPECT_EQ(shown(check.reasons(3)),
            "PLUS_CANDIDATE_NODE.isAlive is false: PLUS_CANDIDATE_NODE.isAlive=false");
  EXPECT_EQ(shown(check.reasons(4)),
            "!member(PLUS_CANDIDATE_NODE.name, Bad) is false: PLUS_CANDIDATE_NODE.name=\"X1\" "
            "Bad={\"x1\", \"x2\"}");
  EXPECT_EQ(shown(check.reasons(5)), "PLUS_CANDIDATE_NODE.loadavg <= 0.3 is undefined: "
                                     "PLUS_CANDIDATE_NODE.loadavg=undefined");
}

// T2: P7.68 to P7.76
TEST(GivenThePolicyOnLeadTime, WhenARequestComesEarlierThenItMayHaveFewerNodes) {
  const auto policy = sample("lead_time.ad");
  struct Row {
    const char* label;
    const char* owner;
    std::int64_t lead, length;
    std::size_t granted;
  };
  const Row rows[] = {
      {"P7.77", "v1", hour, hour, 10},       {"P7.78", "g1", 10 * minute, hour, 9},
      {"P7.79", "g1", 30 * minute, hour, 9}, {"P7.80", "g1", 75 * minute, hour, 7},
      {"P7.81", "g1", 2 * hour, hour, 5},    {"P7.82", "z", 10 * minute, hour, 5},
      {"P7.83", "z", 75 * minute, hour, 4},  {"P7.84", "z", 3 * hour, hour, 3},
      {"P7.85", "v1", 0, hour, 0},           {"P7.85", "v1", -1, hour, 0},
      {"P7.86", "v1", 7 * day, hour, 0},     {"P7.86", "v1", 7 * day - 1, hour, 10},
      {"P7.87", "v1", hour, 2 * day, 0},     {"P7.87", "v1", hour, 2 * day - 1, 10},
      {"P7.72", "z", 7 * day, 2 * day, 0},   {"P7.73", "z", minute, hour, 5},
      {"P7.74", "g1", 5 * hour, hour, 5},    {"P7.75", "g1", 97 * minute + 30, hour, 6},
      {"P7.69", "v1", 6 * day, hour, 10},    {"P7.70", "g1", 29 * minute, hour, 9},
      {"P7.71", "other", 3 * hour, hour, 3},
  };
  for (const auto& row : rows)
    EXPECT_EQ(most(policy, request(row.owner, row.lead, row.length)), row.granted)
        << row.label << ": " << row.owner << " " << row.lead;
  EXPECT_EQ(chosen(policy, request("z", 3 * hour), nodes(10), 3), "n1 n2 n3");
}

// The same as the manual of PluS writes it: a record in brackets, times of day, a share that falls on a
// line of real numbers. The code counts, not its text: "or" (P8.2).
TEST(GivenThePolicyOnLeadTimeAsPluSHasIt, WhenItIsReadThenItMeansTheSame) {
  const auto policy = Reservable::parse(R"([
    Near = relTime("00:30:00");
    Far = relTime("02:00:00");
    Limit = relTime("7d");
    Longest = relTime("2d");
    Vips = { "v1", "v2" };
    Group = { "g1" };
    GroupMost = 90.0; GroupLeast = 50.0;
    OtherMost = 50.0; OtherLeast = 30.0;

    Most = member(PLUS_RSV_OWNER, Group) ? GroupMost : OtherMost;
    Least = member(PLUS_RSV_OWNER, Group) ? GroupLeast : OtherLeast;
    now = absTime(time());
    lead = PLUS_RSV_START - now;
    length = PLUS_RSV_END - PLUS_RSV_START;
    between = linear(lead, Near, Most, Far, Least);
    ratio =
        (lead <= relTime("0") || Limit <= lead || length >= Longest) ? 0 :
        member(PLUS_RSV_OWNER, Vips) ? 100.0 :
        (lead <= Near) ? Most :
        (lead >= Far) ? Least : between;

    nAllocate = size(PLUS_ALLOCATED_NODES) + 1;
    nAllocatable = size(PLUS_ALL_NODES) * 0.01 * ratio;
    PLUS_NODE_RESERVABLE = (nAllocate <= nAllocatable);
])");
  ASSERT_TRUE(policy.ok()) << policy.what();
  const auto granted = [&](const char* owner, std::int64_t lead, std::int64_t length = hour) {
    return most(*policy, request(owner, lead, length));
  };
  EXPECT_EQ(granted("v2", hour), 10u);
  EXPECT_EQ(granted("g1", 10 * minute), 9u);
  EXPECT_EQ(granted("z", 3 * hour), 3u);
  EXPECT_EQ(granted("v1", 8 * day), 0u) << "long before is enough";
  EXPECT_EQ(granted("v1", hour, 3 * day), 0u) << "and so is long";
}

// P7.88
TEST(GivenAShareInReals, WhenItFallsBelowAnIntegerThenItStaysThere) {
  const auto reals = policy_of("size(PLUS_ALLOCATED_NODES)+1 <= size(PLUS_ALL_NODES)*0.01*100");
  const auto wholes = policy_of("(size(PLUS_ALLOCATED_NODES)+1)*100 <= size(PLUS_ALL_NODES)*100");
  EXPECT_EQ(chosen(reals, request("u"), nodes(29), 29), "refused");
  EXPECT_NE(chosen(reals, request("u"), nodes(29), 28), "refused");
  EXPECT_NE(chosen(wholes, request("u"), nodes(29), 29), "refused");
}

// T3: P7.89, and what plus_rsvutil() gives: P7.55, P7.57, P7.59
TEST(GivenThePolicyOnUsage, WhenAnOwnerHasMuchThenNothingMoreIsReserved) {
  const auto policy = sample("usage_cap.ad");
  const auto allows = [&](const std::vector<UsedReservation>& reservations) {
    return chosen(policy, request("u"), nodes(1), 1, usage_of(reservations)) == "n1";
  };
  const auto many = [](int count) {
    return std::vector<UsedReservation>(static_cast<std::size_t>(count), used(hour, minute, 1));
  };
  EXPECT_TRUE(allows({}));
  EXPECT_TRUE(allows(many(100)));               // P7.90; P8.8: one more than the maximum comes in
  EXPECT_FALSE(allows(many(101)));              // P7.91
  EXPECT_TRUE(allows({used(0, 48 * hour, 1)})); // P7.92
  EXPECT_FALSE(allows({used(0, 48 * hour + minute, 1)}));            // P7.92
  EXPECT_TRUE(allows({used(0, 40 * hour, 25)}));                     // P7.93
  EXPECT_FALSE(allows({used(0, 40 * hour, 26)}));                    // P7.93
  EXPECT_TRUE(allows({used(-9 * day, day, 10'000)}));                // P7.94
  EXPECT_TRUE(allows({used(-7 * day - 30 * hour, 40 * hour, 100)})); // P7.95
  EXPECT_FALSE(allows({used(-7 * day - 30 * hour, 40 * hour, 101)}));
  EXPECT_EQ(chosen(policy, request("u"), nodes(1), 1), "refused");
}

TEST(GivenAQuestionAboutUsage, WhenEachNodeAsksItThenItIsAnsweredOnce) {
  int asked = 0;
  const UsageOf usage = [&](const std::string& owner, Window within) {
    ++asked;
    EXPECT_EQ(owner, "u");
    EXPECT_EQ(within, (Window{{now.seconds - 7 * day}, {now.seconds + 7 * day}}));
    return OwnerUsage();
  };
  EXPECT_NE(chosen(sample("usage_cap.ad"), request("u"), nodes(5), 5, usage), "refused");
  EXPECT_EQ(asked, 1);
}

// T4
TEST(GivenThePolicyOnNodeGroups, WhenProjectsAskThenEachGetsItsOwnNodes) {
  const auto policy = sample("node_groups.ad");
  const auto all = nodes(5);
  EXPECT_EQ(chosen(policy, request("u"), all, 4), "n1 n2 n3 n4"); // P7.96
  EXPECT_EQ(chosen(policy, request("u"), all, 5), "refused");     // P7.96
  EXPECT_EQ(chosen(policy, request("v"), all, 2), "n1 n2");       // P7.97
  EXPECT_EQ(chosen(policy, request("v"), all, 3), "refused");     // P7.97
  EXPECT_EQ(chosen(policy, request("w"), all, 2), "n3 n4");       // P7.98
  EXPECT_EQ(chosen(policy, request("x"), all, 1), "refused");     // P7.99
  ReservableCheck check(policy, request("v"), policy_nodes(all), {}, now);
  EXPECT_EQ(
      shown(check.reasons(2)),
      "member(PLUS_CANDIDATE_NODE.name, {\"n1\", \"n2\"}) is false: "
      "PLUS_CANDIDATE_NODE.name=\"n3\"identicalMember(PLUS_RSV_OWNER, {\"u\", \"w\"}) is false: "
      "PLUS_RSV_OWNER=\"v\"");
}

// P7.2, P7.11; P8.3: the manual's other spelling is a name as any other
TEST(GivenATextWithoutTheAttributeThatDecides, WhenParsedThenItIsRefused) {
  EXPECT_EQ(Reservable::parse("").what(), "PLUS_NODE_RESERVABLE is not defined");
  EXPECT_EQ(Reservable::parse("Bad = {1}").what(), "PLUS_NODE_RESERVABLE is not defined");
  EXPECT_EQ(Reservable::parse("PLUS_NODE_RESEVABLE = true").what(),
            "PLUS_NODE_RESERVABLE is not defined");
  EXPECT_EQ(Reservable::parse("PLUS_NODE_RESERVABLE = (").what(),
            "line 1, column 25: an expression is expected here");
  EXPECT_TRUE(Reservable::parse("[ plus_node_reservable = true ]").ok());
}

// P7.7
TEST(GivenAResultThatIsNoTruthValue, WhenEvaluatedThenItCountsAsFalseAndIsNoted) {
  const auto all = policy_nodes(nodes(2));
  const std::pair<const char*, const char*> rows[] = {{"1", "n1: 1"},
                                                      {"undefined", "n1: undefined"},
                                                      {"1/0", "n1: error, a division by zero"},
                                                      {"\"true\"", "n1: \"true\""},
                                                      {"false", ""},
                                                      {"true", ""}};
  for (const auto& [condition, noted] : rows) {
    ReservableCheck check(policy_of(condition), request("u"), all, {}, now);
    EXPECT_EQ(check.admits(0), std::string(condition) == "true");
    EXPECT_EQ(check.admits(1), std::string(condition) == "true");
    EXPECT_EQ(check.odd_result(), noted);
  }
}

// P7.5, P7.13
TEST(GivenCandidatesInAnOrder, WhenEnoughAreFoundThenTheRestIsNotAsked) {
  const auto policy =
      policy_of("PLUS_CANDIDATE_NODE.name != \"n2\" && size(PLUS_ALLOCATED_NODES) < 2");
  const auto all = nodes(4);
  ReservableCheck check(policy, request("u"), policy_nodes(all), {}, now);
  EXPECT_EQ(choose(check, {3, 1, 0, 2}, 2), (std::vector<std::size_t>{3, 0}));
  EXPECT_FALSE(check.admits(2)); // two are allocated
}

TEST(GivenANodeAndARequest, WhenThePolicyLooksAtThemThenItSeesTheirValues) {
  PolicyNode one = node("n1", 2, true, 1'500'000);
  one.arch = "lx-amd64", one.os = "linux", one.processors = 8, one.memory_bytes = 1LL << 34;
  one.idle_seconds = 90, one.queues = {"all.q", "long.q"};
  const std::pair<const char*, const char*> rows[] = {
      {"P7.12", "isClassAd(PLUS_CANDIDATE_NODE)"},
      {"P7.13", "isList(PLUS_ALLOCATED_NODES) && size(PLUS_ALLOCATED_NODES) == 0"},
      {"P7.14", "size(PLUS_ALL_NODES) == 1 && PLUS_ALL_NODES[0] is PLUS_CANDIDATE_NODE"},
      {"P7.15", "PLUS_RSV_OWNER is \"u\""},
      {"P7.16", "PLUS_RSV_END - PLUS_RSV_START == relTime(\"1h\")"},
      {"P7.16", "PLUS_RSV_START - absTime() == relTime(\"1h\")"},
      {"P7.17", "PLUS_RSV_NODES is 1 && member(\"u\", PLUS_RSV_USERS)"},
      {"P7.18", "PLUS_CANDIDATE_NODE.name is \"n1\""},
      {"P7.19", "PLUS_CANDIDATE_NODE.isAlive is true"},
      {"P7.20", "PLUS_CANDIDATE_NODE.loadavg is 1.5"},
      {"P7.21", "PLUS_CANDIDATE_NODE.nRunJobs is 2"},
      {"P7.22", "PLUS_CANDIDATE_NODE.arch is \"lx-amd64\" && PLUS_CANDIDATE_NODE.os is \"linux\""},
      {"P7.23", "PLUS_CANDIDATE_NODE.nCpu is 8"},
      {"P7.24", "PLUS_CANDIDATE_NODE.physMem is 17179869184"},
      {"P7.25", "PLUS_CANDIDATE_NODE.idleTime == relTime(\"90s\")"},
      {"P7.26", "member(\"long.q\", PLUS_CANDIDATE_NODE.queues)"},
      {"P7.31", "plus_candidate_node.NAME is \"n1\""},
  };
  for (const auto& [label, condition] : rows) {
    const auto policy = policy_of(condition);
    ReservableCheck check(policy, request("u"), policy_nodes({one}), {}, now);
    EXPECT_TRUE(check.admits(0)) << label << ": " << condition << ": " << shown(check.reasons(0));
  }
}

TEST(GivenANodeOfWhichLittleIsKnown, WhenThePolicyLooksAtItThenAttributesAreMissing) {
  const auto policy =
      policy_of("size(PLUS_CANDIDATE_NODE) == 4 && isUndefined(PLUS_CANDIDATE_NODE.arch) && "
                "isUndefined(PLUS_CANDIDATE_NODE.idleTime)");
  ReservableCheck check(policy, request("u"), policy_nodes({node("n1", 0, true, {})}), {}, now);
  EXPECT_TRUE(check.admits(0)) << shown(check.reasons(0));
}

// P7.57, P7.59: which of them count is what the host gives; P7.55: of what is no absTime nothing is told.
TEST(GivenWrongArguments, WhenUsageIsAskedForThenItIsAnError) {
  for (const char* condition :
       {"isError(plus_rsvutil(\"u\", 1, 2))", "isError(plus_rsvutil(\"u\"))",
        "isError(plus_rsvutil(1, absTime(), absTime()))",
        "isError(plus_rsvutil(\"u\", absTime(1e15), absTime()))",
        "isUndefined(plus_rsvutil(x, absTime(), absTime()))",
        "size(plus_rsvutil(\"u\", absTime(), absTime())) == 3"}) {
    const auto policy = policy_of(condition);
    ReservableCheck check(policy, request("u"), policy_nodes(nodes(1)), usage_of({}), now);
    EXPECT_TRUE(check.admits(0)) << condition;
  }
}
