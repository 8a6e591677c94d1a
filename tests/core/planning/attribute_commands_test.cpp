// qconf's attribute switches as commands: who may use them, what is answered, and what they may not
// break.
#include "core/planning/input_summary.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenACellWithQueuesAndQuotas : public PlannerFixture {
public:
  GivenACellWithQueuesAndQuotas() {
    hosts(2, 4);
    command(root, Configure{{ChangeVerb::add,
                             {ObjectKind::quota_set,
                              "A",
                              {{"limit", "limit users ann to slots=5\tlimit to slots=2"}}},
                             {}}});
  }
  static ConfigurationChange change(ChangeVerb verb, ObjectKind kind, const std::string& id,
                                    std::vector<Attribute> values) {
    return {verb, {kind, id, std::move(values)}, {}};
  }
  Answer quota(const Caller& caller, ChangeVerb verb, const std::string& id,
               std::vector<Attribute> values) {
    return command(caller, Configure{change(verb, ObjectKind::quota_set, id, std::move(values))});
  }
  std::string value(ObjectKind kind, const std::string& name, const std::string& attribute) const {
    const auto* object = planner.state().configuration().find(kind, name);
    return object ? *object->find(attribute) : "";
  }
};

} // namespace

TEST_F(GivenACellWithQueuesAndQuotas, WhenALimitIsThereOrMissingThenThatIsSaidAndIsNoFailure) {
  // Q5.24, Q5.25, Q5.27, Q5.31, Q5.34, V9.17
  const auto add = quota(root, ChangeVerb::add_values, "A/1", {{"limit", "slots=20"}});
  EXPECT_EQ(add.exit_code, 0);
  EXPECT_EQ(text(add), "No modification because \"slots\" already exists in "
                       "\"resource_quota_rules\" of \"resource_quota\"\n"
                       "root@master modified \"A\" in resource quota set list\n");
  const auto missing = quota(root, ChangeVerb::remove_values, "A/1", {{"limit", "h_vmem"}});
  EXPECT_EQ(missing.exit_code, 0);
  EXPECT_EQ(text(missing),
            "\"h_vmem\" does not exist in \"resource_quota_rules\" of \"resource_quota\"\n"
            "root@master modified \"A\" in resource quota set list\n");
  const auto fresh = quota(root, ChangeVerb::modify_values, "A/1", {{"limit", "h_vmem=1G"}});
  EXPECT_EQ(fresh.exit_code, 0);
  EXPECT_EQ(text(fresh), "Unable to find \"h_vmem\" in \"resource_quota_rules\" of "
                         "\"resource_quota\" - Adding new element.\n"
                         "root@master modified \"A\" in resource quota set list\n");
  for (const auto* answer : {&add, &missing, &fresh})
    for (const auto& statement : answer->statements) EXPECT_FALSE(statement.trouble);
  EXPECT_EQ(value(ObjectKind::quota_set, "A", "limit"),
            "limit users ann to slots=5,h_vmem=1G\tlimit to slots=2");
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenTwoPeopleAddToOneListThenBothAreThere) {
  for (const char* user : {"ann", "bob"})
    EXPECT_EQ(command(root, Configure{change(ChangeVerb::add_values, ObjectKind::userset,
                                             "deadlineusers", {{"entries", user}})})
                  .exit_code,
              0);
  EXPECT_EQ(value(ObjectKind::userset, "deadlineusers", "entries"), "ann,bob");
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenSomebodyElseAsksThenManagersOnlyMayAndNothingIsTold) {
  for (const char* id : {"A/1", "nosuch/1"})
    EXPECT_EQ(text(quota(alice, ChangeVerb::add_values, id, {{"limit", "slots=20"}})),
              "denied: \"alice\" must be manager for this operation\n");
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenTheLastRuleGoesThenThatIsWarnedOf) {
  // Q5.26
  const auto first = quota(root, ChangeVerb::remove_values, "A/1", {{"limit", "slots=5"}});
  EXPECT_EQ(text(first), "root@master modified \"A\" in resource quota set list\n");
  EXPECT_EQ(value(ObjectKind::quota_set, "A", "limit"), "limit to slots=2");
  const auto last = quota(root, ChangeVerb::remove_values, "A/1", {{"limit", "slots"}});
  EXPECT_EQ(last.exit_code, 0);
  EXPECT_EQ(text(last), "root@master modified \"A\" in resource quota set list\n"
                        "resource quota set has no rules: \"A\"\n");
  EXPECT_TRUE(last.statements.back().trouble);
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenASetIsRenamedThenOneChangeIsTold) {
  // Q5.30
  const auto answer = quota(root, ChangeVerb::modify_values, "A", {{"name", "B"}});
  EXPECT_EQ(text(answer), "root@master modified \"A\" in resource quota set list\n");
  EXPECT_EQ(planner.state().configuration().quota_sets().size(), 1U);
  EXPECT_EQ(planner.state().configuration().quota_sets().front().name, "B");
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenASetOrRuleIsNotThereThenItIsSaidAsUsual) {
  // Q5.32, Q5.33
  const auto set = quota(root, ChangeVerb::modify_values, "nosuch", {{"enabled", "true"}});
  EXPECT_EQ(set.exit_code, 1);
  EXPECT_EQ(text(set), "denied: resource quota set \"nosuch\" does not exist\n");
  const auto rule = quota(root, ChangeVerb::modify_values, "A/3", {{"limit", "slots=1"}});
  EXPECT_EQ(rule.exit_code, 1);
  EXPECT_EQ(text(rule), "no resource quota rule specified for modification\n");
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenAHostIsSpeltOtherwiseThenItIsTheSame) {
  const auto answer = command(root, Configure{change(ChangeVerb::add_values, ObjectKind::exec_host,
                                                     "H1", {{"complex_values", "slots=3"}})});
  EXPECT_EQ(text(answer), "root@master modified \"h1\" in exechost list\n");
  EXPECT_EQ(value(ObjectKind::exec_host, "h1", "complex_values"), "slots=3");
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenItWouldBreakAReservationThenItIsRefusedLikeAnyOther) {
  reserve(root, on_pe(window(1'000'100, 100), "smp", 4));
  const auto before = value(ObjectKind::cluster_queue, "all.q", "slots");
  for (const char* host : {"h1", "h2"}) {
    const auto answer =
        command(root, Configure{change(ChangeVerb::replace_values, ObjectKind::cluster_queue,
                                       "all.q@" + std::string(host), {{"slots", "9"}})});
    EXPECT_EQ(text(answer), "root@master modified \"all.q\" in cluster queue list\n");
  }
  int refused = 0;
  for (const char* host : {"h1", "h2"})
    refused += command(root, Configure{change(ChangeVerb::replace_values, ObjectKind::cluster_queue,
                                              "all.q@" + std::string(host), {{"slots", "3"}})})
                   .exit_code == 1;
  EXPECT_EQ(refused, 1) << "it lies on one of them";
  EXPECT_NE(value(ObjectKind::cluster_queue, "all.q", "slots"), before);
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenARequestIsSenselessThenItIsNotValid) {
  const auto one = change(ChangeVerb::add_values, ObjectKind::quota_set, "A/1", {{"limit", "a=1"}});
  EXPECT_EQ(command(root, ConfigureAll{{one}}).exit_code, 1) << "it stands by itself";
  EXPECT_EQ(quota(root, ChangeVerb::add_values, "A/1", {}).exit_code, 1);
  EXPECT_EQ(
      quota(root, ChangeVerb::add_values, std::string(513, 'A'), {{"limit", "slots=1"}}).exit_code,
      1);
  EXPECT_EQ(
      quota(root, ChangeVerb::add_values, "A/1", {{"limit", std::string("a\0b", 3)}}).exit_code, 1);
  for (int kind = 0; kind <= static_cast<int>(last_of<ObjectKind>); ++kind)
    for (const auto verb : {ChangeVerb::add_values, ChangeVerb::remove_values,
                            ChangeVerb::modify_values, ChangeVerb::replace_values})
      EXPECT_EQ(command(root, Configure{change(verb, ObjectKind(kind), "nosuch", {{"a", "b"}})})
                    .exit_code,
                1)
          << kind;
  EXPECT_EQ(value(ObjectKind::quota_set, "A", "limit"),
            "limit users ann to slots=5\tlimit to slots=2");
}

TEST_F(GivenACellWithQueuesAndQuotas, WhenTheJournalIsReadThenItSaysWhatWasChanged) {
  const auto summary = summary_of(
      {1,
       {100},
       1,
       Command{root, Configure{change(ChangeVerb::modify_values, ObjectKind::cluster_queue,
                                      "all.q@h1", {{"slots", "2"}, {"seq_no", "1"}})}},
       0});
  EXPECT_EQ(summary.what, "root: changes values of cluster queue all.q@h1: slots,seq_no");
}
