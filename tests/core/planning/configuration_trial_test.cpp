// qconf -w v: what a change would be refused for, break or touch, without making it.
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenABusyCell : public PlannerFixture {
public:
  GivenABusyCell() { hosts(2, 4); }

  static ConfigurationChange change(ChangeVerb verb, ObjectKind kind, const std::string& name,
                                    std::vector<Attribute> attributes) {
    return {verb, {kind, name, std::move(attributes)}, {}};
  }
  static ConfigurationChange of_queue(std::vector<Attribute> attributes) {
    return change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", std::move(attributes));
  }
  static ConfigurationChange quota(const std::string& name, const std::string& rule) {
    return change(ChangeVerb::add, ObjectKind::quota_set, name, {{"limit", rule}});
  }
  /// What is said, after a look that nothing has changed.
  Answer tried(const Caller& caller, ConfigureCommand command) {
    const auto digest = planner.digest();
    auto answer = ask(VerifyConfigure{caller, std::move(command)});
    EXPECT_EQ(planner.digest(), digest);
    return answer;
  }
  std::string said(ConfigurationChange one) { return text(tried(root, Configure{std::move(one)})); }
  std::string said(std::vector<ConfigurationChange> all) {
    return text(tried(root, ConfigureAll{std::move(all)}));
  }
  void configure(ConfigurationChange one) {
    const auto answer = command(root, Configure{std::move(one)});
    ASSERT_EQ(answer.exit_code, 0) << text(answer);
  }
  static JobRequest wide(std::int64_t slots, const std::string& limit) {
    auto request = job("wide", limit);
    request.pe = "fill", request.slots = {{slots, slots}};
    return request;
  }

  const std::string accepted = "verification: the change would be accepted\n";
  const std::string refused = "verification: the change would be refused\n";
};

} // namespace

TEST_F(GivenABusyCell, WhenAChangeIsTriedThenNothingIsChanged) {
  // cli C8.24, objects O0.14, quotas Q5.3, rulings D87
  const auto answer = tried(root, Configure{of_queue({{"seq_no", "7"}})});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(text(answer), accepted);
  EXPECT_EQ(tried(root, Configure{{ChangeVerb::modify_values,
                                   {ObjectKind::cluster_queue, "all.q@h1", {{"slots", "2"}}},
                                   {}}})
                .exit_code,
            0);
}

TEST_F(GivenABusyCell, WhenSomebodyElseTriesThenItIsRefused) {
  const auto answer = tried(alice, Configure{of_queue({{"seq_no", "7"}})});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(text(answer), "denied: \"alice\" must be manager for this operation\n" + refused);
}

TEST_F(GivenABusyCell, WhenSeveralThingsAreWrongThenEachIsSaid) {
  // cli C8.24: the first is what the command itself says
  const auto wrong = of_queue({{"slots", "many"}, {"seq_no", "x"}, {"nosuch", "1"}});
  const auto answer = tried(root, Configure{wrong});
  EXPECT_EQ(answer.exit_code, 1);
  for (const auto* part : {"\"many\"", "\"x\"", "nosuch"})
    EXPECT_NE(text(answer).find(part), std::string::npos) << text(answer);
  EXPECT_EQ(text(answer).find(text(command(root, Configure{wrong}))), 0u) << text(answer);

  EXPECT_EQ(said({quota("a", "limit to nosuch=1"), quota("good", "limit to slots=1"),
                  quota("template", "limit to slots=1")}),
            "\"resource_quota\" references not existing complex attribute \"nosuch\"\n"
            "rule a/1: \"nosuch\"\n"
            "Keyword (\"template\") not allowed as objectname\n" +
                refused);
}

TEST_F(GivenABusyCell, WhenItWouldBreakReservationsThenEachGuardIsAsked) {
  // reservations R10.22: all reasons, and for G5 each reservation
  reserve(root, on_pe(window(1'001'000, 1'000), "smp", 4));
  reserve(root, on_pe(window(1'003'000, 1'000), "smp", 3));
  const auto both = of_queue({{"pe_list", "make"}, {"slots", "1"}});
  const auto all = said(both);
  EXPECT_EQ(all, "denied: removing \"smp\" from pe_list would break advance reservation 1\n"
                 "denied: removing \"smp\" from pe_list would break advance reservation 2\n"
                 "denied: 4 slots are already reserved in all.q@h1 by an advance reservation\n" +
                     refused);
  EXPECT_EQ(all.find(text(command(root, Configure{both}))), 0u) << "it says the first of them";
}

TEST_F(GivenABusyCell, WhenItIsTriedThenTheExitStatusIsThatOfTheChange) {
  reserve(root, on_pe(window(1'001'000, 1'000), "smp", 4));
  running(job("runs", "100"));
  const std::vector<ConfigurationChange> changes{
      of_queue({{"slots", "1"}}),
      of_queue({{"hostlist", "NONE"}}),
      change(ChangeVerb::erase, ObjectKind::parallel_environment, "smp", {}),
      change(ChangeVerb::erase, ObjectKind::parallel_environment, "make", {}),
      change(ChangeVerb::erase, ObjectKind::exec_host, "h1", {}),
      change(ChangeVerb::add, ObjectKind::calendar, "c", {{"week", "mon-sun=off"}}),
      quota("a", "limit to slots=0"),
      {ChangeVerb::add_values, {ObjectKind::userset, "arusers", {{"entries", "bob"}}}, {}},
      {ChangeVerb::remove_values, {ObjectKind::cluster_queue, "all.q", {{"slots", "1"}}}, {}},
      {ChangeVerb::remove_entries, {ObjectKind::admin_hosts, "", {}}, {"master"}}};
  for (const auto& one : changes) {
    const auto trial = tried(root, Configure{one});
    const auto made = command(root, Configure{one});
    EXPECT_EQ(trial.exit_code, made.exit_code) << text(trial) << text(made);
    if (made.exit_code != 0) {
      EXPECT_EQ(text(trial).find(text(made)), 0u) << text(trial) << text(made);
    }
  }
}

TEST_F(GivenABusyCell, WhenJobsRunAboveANewLimitThenRuleAndHoldersAreNamed) {
  // quotas Q7.9, Q4.34
  const auto first = running(wide(3, "1000"));
  auto array = job("array", "1000");
  array.tasks = {1, 2, 1};
  running(array);
  EXPECT_EQ(said({quota("a", "limit users {*} to slots=4")}),
            "above the limit in rule \"a/1\": \"alice/////\" uses slots=5, the limit would be 4; "
            "job 1: 3, job 2.1: 1, job 2.2: 1 would go on\n" +
                accepted);
  EXPECT_EQ(said({quota("a", "limit users {*} to slots=5")}), accepted);
  // What stands above it already is no affair of another change.
  ASSERT_EQ(command(root, ConfigureAll{{quota("a", "limit users {*} to slots=4")}}).exit_code, 0);
  EXPECT_EQ(said(of_queue({{"seq_no", "7"}})), accepted);
  EXPECT_NE(said({change(ChangeVerb::modify, ObjectKind::quota_set, "a",
                         {{"limit", "limit users {*} to slots=3"}})}),
            accepted);
  EXPECT_TRUE(is_active(first));
}

TEST_F(GivenABusyCell, WhenWaitingJobsCouldNeverRunThenTheyAreNamedByClass) {
  // quotas Q7.10
  running(wide(8, "1000"));
  auto plain = job("waits", "100");
  auto other = wide(6, "100");
  auto never = wide(100, "100"); // it can't run now either
  for (int i = 0; i < 12; ++i) submit(bob, plain);
  submit(bob, other), submit(bob, never);
  pass();
  const auto all = said({quota("a", "limit users bob to slots=5")});
  EXPECT_NE(all.find("job 14 could never run any more: "), std::string::npos) << all;
  EXPECT_EQ(all.find("job 15"), std::string::npos) << all;
  EXPECT_EQ(all.find("job 2,"), std::string::npos) << all;
  // What was in its way before is no reason (a fourth instance lists no such PE).
  for (const char* name : {"b.q", "c.q", "d.q"})
    configure(change(ChangeVerb::add, ObjectKind::cluster_queue, name,
                     {{"hostlist", "h1"}, {"pe_list", "smp"}}));
  EXPECT_NE(said({quota("a", "limit users bob to slots=5")})
                .find("job 14 could never run any more: cannot run because it exceeds limit "
                      "\"/////\" in rule \"a/1\""),
            std::string::npos);
  const auto none = said({quota("a", "limit users bob to slots=0")});
  EXPECT_NE(none.find("job 2, job 3, job 4, job 5, job 6, job 7, job 8, job 9, job 10, job 11 and "
                      "2 more could never run any more: "),
            std::string::npos)
      << none;
  // A job that is held waits, too.
  auto held = job("held", "100");
  held.held_by_user = true, held.pe = "make", held.slots = {{1, 1}};
  submit(bob, held);
  EXPECT_NE(said(of_queue({{"pe_list", "fill"}})).find("job 16 could never run any more: "),
            std::string::npos);
}

TEST_F(GivenABusyCell, WhenWhatIsPlannedWouldMoveOrFallThenTheStartsAreNamed) {
  // reservations R10.23
  configure(change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
                   {{"max_reservation", "5"}, {"params", "DURATION_OFFSET=0"}}));
  running(wide(4, "100")), running(wide(4, "300"));
  auto planned = wide(4, "50");
  planned.reserve = true;
  submit(bob, planned), submit(bob, planned);
  pass();
  ASSERT_EQ(find(3)->holds.size(), 1u);
  ASSERT_EQ(find(4)->holds.size(), 1u);
  EXPECT_EQ(find(3)->holds.front().window.start, now + Duration{100});
  // The first of them keeps its place; only what runs counts in the new one.
  EXPECT_EQ(said(of_queue({{"seq_no", "7"}})), accepted);
  const auto later = said(of_queue({{"slots", "4,[h1=2],[h2=4]"}}));
  EXPECT_NE(later.find(" would start later than planned: in "), std::string::npos) << later;
  const auto fallen = said({change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
                                   {{"max_reservation", "0"}})});
  EXPECT_EQ(fallen, "job 3 would lose its start that is planned in 00:01:40\n"
                    "job 4 would lose its start that is planned in 00:02:30\n" +
                        accepted);
}

TEST_F(GivenABusyCell, WhenReservedInstancesLoseTheirQueueThenTheOrphansAreNamed) {
  // reservations R10.24, R10.16
  reserve(root, on_pe(window(1'001'000, 1'000), "smp", 4));
  EXPECT_EQ(
      said(change(ChangeVerb::modify, ObjectKind::host_group, "@allhosts", {{"hostlist", "h2"}})),
      "queue instance \"all.q@h1\" would be orphaned, and kept for advance reservation 1\n" +
          accepted);
}

TEST_F(GivenABusyCell, WhenAttributesMeanNothingHereThenThatIsSaid) {
  // cli C8.24, C8.25
  EXPECT_EQ(
      said(change(ChangeVerb::modify, ObjectKind::global_configuration, "", {{"xterm", "/bin/x"}})),
      "would be stored without effect: configuration: xterm /bin/x\n" + accepted);
  const auto empty = tried(root, ConfigureAll{{quota("a", "NONE")}});
  EXPECT_EQ(text(empty), "resource quota set has no rules: \"a\"\n" + accepted);
  EXPECT_EQ(empty.exit_code, 0);
}

TEST_F(GivenABusyCell, WhenManyJobsWaitThenOtherInputsHaveTheirTurn) {
  running(wide(8, "1000"));
  for (int i = 1; i <= 100; ++i) {
    auto one = job("j", std::to_string(i));
    submit(bob, one);
  }
  Inquiry inquiry(std::get<0>(
      validated(VerifyConfigure{root, ConfigureAll{{quota("a", "limit users bob to slots=0")}}})));
  int slices = 0;
  std::optional<Answer> answer;
  for (; !answer; ++slices) answer = planner.go_on(inquiry, now);
  EXPECT_EQ(answer->exit_code, 0);
  // Each of the hundred classes is one look at two instances at least.
  rules::SliceLimits small;
  small.instances = 2;
  Inquiry slow(std::get<0>(
      validated(VerifyConfigure{root, ConfigureAll{{quota("a", "limit users bob to slots=0")}}})));
  int looks = 0;
  std::optional<Answer> same;
  for (; !same; ++looks) same = slow.go_on(planner.state(), 1, now, small);
  EXPECT_GT(looks, 100);
  EXPECT_EQ(*same, *answer);
  // Where inputs come all the time it goes on with its copies, and nobody waits for all of it.
  Inquiry busy(std::get<0>(
      validated(VerifyConfigure{root, ConfigureAll{{quota("a", "limit users bob to slots=0")}}})));
  std::uint64_t slices_of_busy = 0;
  for (same.reset(); !same; ++slices_of_busy)
    same = busy.go_on(planner.state(), slices_of_busy, now, small);
  EXPECT_GT(slices_of_busy, 100u);
  EXPECT_EQ(*same, *answer);
}
