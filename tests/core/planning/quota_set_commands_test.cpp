// qconf with resource quota sets: several changes are one, and what is answered.
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenACellWithQuotaSets : public PlannerFixture {
public:
  static ConfigurationChange change(ChangeVerb verb, const std::string& name,
                                    const std::string& rule) {
    return {verb, {ObjectKind::quota_set, name, {{"limit", rule}}}, {}};
  }
  Answer all(const Caller& caller, std::vector<ConfigurationChange> changes) {
    return command(caller, ConfigureAll{std::move(changes)});
  }
  std::string names() const {
    std::string all;
    for (const auto& set : planner.state().configuration().quota_sets()) all += set.name + " ";
    return all;
  }
};

} // namespace

TEST_F(GivenACellWithQuotaSets, WhenSeveralAreAddedThenEachIsTold) {
  // quotas Q5.6, V9.5
  const auto answer = all(root, {change(ChangeVerb::add, "b", "limit to slots=1"),
                                 change(ChangeVerb::add, "a", "limit to slots=2")});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(text(answer), "root@master added \"b\" to resource quota set list\n"
                          "root@master added \"a\" to resource quota set list\n");
  EXPECT_EQ(names(), "b a ");
  // quotas Q5.8, quotas Q5.10
  EXPECT_EQ(text(all(root, {change(ChangeVerb::modify, "a", "limit to slots=3")})),
            "root@master modified \"a\" in resource quota set list\n");
  EXPECT_EQ(text(all(root, {{ChangeVerb::erase, {ObjectKind::quota_set, "b", {}}, {}}})),
            "root@master removed \"b\" from resource quota set list\n");
  EXPECT_EQ(names(), "a ");
}

TEST_F(GivenACellWithQuotaSets, WhenOneOfSeveralIsWrongThenNothingIsChanged) {
  all(root, {change(ChangeVerb::add, "a", "limit to slots=1")});
  const auto digest = planner.state().configuration().objects();
  const auto refused = [&](std::vector<ConfigurationChange> changes) {
    changes.insert(changes.begin(), change(ChangeVerb::add, "good", "limit to slots=1"));
    const auto answer = all(root, std::move(changes));
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_EQ(planner.state().configuration().objects(), digest);
    return text(answer);
  };
  EXPECT_EQ(refused({change(ChangeVerb::add, "a", "limit to slots=1")}), // V9.6
            "resource quota set \"a\" already exists\n");
  EXPECT_EQ(refused({change(ChangeVerb::add, "template", "limit to slots=1")}),
            "Keyword (\"template\") not allowed as objectname\n");
  EXPECT_EQ(refused({change(ChangeVerb::add, "x", "limit users {a to slots=1")}), // quotas Q5.15
            "no valid expanded list\nrule x/1: \"{a\"\n");
  EXPECT_EQ(refused({{ChangeVerb::erase, {ObjectKind::quota_set, "nosuch", {}}, {}}}), // V9.11
            "denied: resource quota set \"nosuch\" does not exist\n");
  EXPECT_EQ(refused({{ChangeVerb::add, {ObjectKind::orphan, "all.q@h1", {}}, {}}}),
            text(Answer::refusal(Statement{AnswerCode::orphans_are_not_configured, {}})));
}

TEST_F(GivenACellWithQuotaSets, WhenSomebodyElseChangesThemThenManagersOnlyMay) {
  // quotas Q5.1, V9.12
  const auto answer = all(alice, {change(ChangeVerb::add, "a", "limit to slots=1")});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(text(answer), "denied: \"alice\" must be manager for this operation\n");
  EXPECT_EQ(names(), "");
}

TEST_F(GivenACellWithQuotaSets, WhenComplexesAreDeletedThenThoseThatAreUsedStay) {
  auto table = *planner.state().configuration().find(ObjectKind::complex, "");
  for (const char* name : {"lic", "tok"})
    table.set(name, std::string(name) + " INT <= YES YES 0 0");
  ASSERT_EQ(
      all(root, {{ChangeVerb::modify, table, {}}, change(ChangeVerb::add, "a", "limit to lic=3")})
          .exit_code,
      0);
  const auto erase = [&](const Caller& caller, const std::string& name) {
    return text(
        command(caller, Configure{{ChangeVerb::erase, {ObjectKind::complex, name, {}}, {}}}));
  };
  // quotas Q5.11, cli C8.9, objects O3.9, objects O3.10
  EXPECT_EQ(erase(root, "lic"),
            "Complex attribute \"lic\" is still referenced in resource quota set \"a\".\n");
  EXPECT_EQ(erase(root, "slots"),
            "denied: complex entry \"slots\" is built in and can't be deleted\n");
  EXPECT_EQ(erase(root, "nosuch"), "denied: complex entry \"nosuch\" does not exist\n");
  EXPECT_EQ(erase(alice, "tok"), "denied: \"alice\" must be manager for this operation\n");
  EXPECT_EQ(erase(root, "tok"), "root@master removed \"tok\" from complex entry list\n");
}

TEST_F(GivenACellWithQuotaSets, WhenASetHasNoRulesThenItIsTakenWithAWarning) {
  // quotas Q5.13, objects O10.19, rulings D71
  const auto answer = all(root, {change(ChangeVerb::add, "a", "NONE")});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(text(answer), "root@master added \"a\" to resource quota set list\n"
                          "resource quota set has no rules: \"a\"\n");
  EXPECT_TRUE(answer.statements.back().trouble);
  EXPECT_EQ(text(all(root, {{ChangeVerb::erase, {ObjectKind::quota_set, "a", {}}, {}}})),
            "root@master removed \"a\" from resource quota set list\n");
}

TEST_F(GivenACellWithQuotaSets, WhenNoChangeOrTooManyAreSentThenTheRequestIsNotValid) {
  EXPECT_EQ(all(root, {}).exit_code, 1);
  const auto one = change(ChangeVerb::add, "a", "limit to slots=1");
  EXPECT_EQ(all(root, std::vector<ConfigurationChange>(2'001, one)).exit_code, 1);
  auto bad = one;
  bad.object.attributes.front().value = std::string("a\0b", 3);
  EXPECT_EQ(all(root, {one, bad}).exit_code, 1);
  EXPECT_EQ(names(), "");
}
