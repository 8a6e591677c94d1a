// Rules of resource quota sets: what is read, how it is printed, what is refused.
#include "core/configuration/objects/complex.hpp"
#include "core/configuration/objects/quota_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

const ComplexTable& complexes() {
  static const ComplexTable table = [] {
    auto object = template_of(ObjectKind::complex, "");
    object.set("lic", "lic INT <= YES YES 0 0");
    object.set("share", "shr DOUBLE <= YES YES 0 0");
    object.set("scratch", "scr MEMORY <= YES YES 0 0");
    object.set("tmem", "tm MEMORY <= YES NO 0 0");
    return *ComplexTable::parse(object);
  }();
  return table;
}

Result<QuotaRule> rule_of(const std::string& text) {
  auto rule = parse_quota_rule(text);
  if (!rule) return rule.error();
  if (auto resolved = resolve_limits(*rule, complexes()); !resolved) return resolved.error();
  return rule;
}
std::string canonical(const std::string& text) {
  const auto rule = rule_of(text);
  return rule ? text_of(*rule) : rule.what();
}
// Without what the second line says of the place.
std::string refusal(const std::string& text) {
  const auto rule = rule_of(text);
  return rule ? "" : rule.what().substr(0, rule.what().find('\n'));
}

ConfigurationObject set_with(const std::vector<std::string>& rules, const std::string& name = "A") {
  ConfigurationObject object{ObjectKind::quota_set, name, {}};
  std::string all;
  for (const auto& rule : rules) all += (all.empty() ? "" : "\t") + rule;
  object.set("limit", all.empty() ? "NONE" : all);
  return object;
}

std::string any_text(const std::string& letters, int most) {
  std::string text;
  const auto length = *rc::gen::inRange(1, most + 1);
  for (int i = 0; i < length; ++i)
    text += letters[*rc::gen::inRange<std::size_t>(0, letters.size())];
  return text;
}

std::vector<std::string> any_items() {
  std::vector<std::string> items(*rc::gen::inRange<std::size_t>(0, 4));
  for (auto& item : items)
    item = (*rc::gen::inRange(0, 3) == 0 ? "@" : "") + any_text("abz19*?[]._-", 6);
  return items;
}

QuotaScope any_scope() {
  QuotaScope scope;
  scope.included = any_items(), scope.excluded = any_items();
  scope.given = !scope.included.empty() || !scope.excluded.empty();
  scope.expanded = scope.given && *rc::gen::inRange(0, 2) == 0;
  scope.excluded_inside = scope.expanded && !scope.excluded.empty() &&
                          (scope.included.empty() || *rc::gen::inRange(0, 2) == 0);
  return scope;
}

} // namespace

TEST(GivenARule, WhenReadThenItHasItsCanonicalForm) {
  const std::vector<std::pair<std::string, std::string>> cases{
      // quotas Q2.18
      {"limit name cap users {ann,bob},!eve hosts @lin to slots=100,lic=5",
       "limit name cap users {ann,bob},!eve hosts @lin to slots=100,lic=5"},
      // quotas Q2.19
      {"limit users {!eve,ann,bob} to slots=1", "limit users {ann,bob,!eve} to slots=1"},
      {"limit users {!eve} to slots=1", "limit users {!eve} to slots=1"},
      // quotas Q2.8
      {"limit users roland, andre to slots=1", "limit users roland,andre to slots=1"},
      {"limit users roland\tandre  ,\r eve to slots=1", "limit users roland,andre,eve to slots=1"},
      {"limit users { ann }bob to slots=1", "limit users {ann,bob} to slots=1"},
      // quotas Q2.10
      {"limit hosts h1 queues q pes p projects x users u to slots=1",
       "limit users u projects x pes p queues q hosts h1 to slots=1"},
      // quotas Q2.11
      {"limit users !eve,ann to slots=1", "limit users ann,!eve to slots=1"},
      // quotas Q2.12
      {"limit to s=3,scr=4G", "limit to slots=3,scratch=4G"},
      // quotas Q2.17
      {"limit hosts {*} to slots=$p*2-1", "limit hosts {*} to slots=$num_proc*2-1"},
      {"limit hosts {*} to slots=8-$num_proc*.5+$p",
       "limit hosts {*} to slots=8-$num_proc*.5+$num_proc"},
      {"limit to arch=lx-amd64 , slots = 1",
       "a limit must be written complex=value\n\"slots = 1\""},
      {"limit to arch=lx-amd64 , slots=1", "limit to arch=lx-amd64,slots=1"}};
  for (const auto& [given, expected] : cases) EXPECT_EQ(canonical(given), expected);
  // quotas Q2.7: braces and exclusions belong to any filter. Nobody asks whether they exist (quotas
  // Q2.14).
  for (const char* filter : {"users", "projects", "pes", "queues", "hosts"}) {
    const auto text = "limit " + std::string(filter) + " {nobody,@no*},!x to slots=0";
    EXPECT_EQ(canonical(text), text);
  }
}

TEST(GivenARule, WhenReadThenItsPartsAreThere) {
  const auto rule =
      rule_of("limit name cap users {ann},!@eng to slots=7,share=1.5,scratch=2K,arch=x");
  ASSERT_TRUE(rule.ok()) << rule.what();
  EXPECT_EQ(rule->name, "cap");
  const auto& users = rule->scope(QuotaFilter::users);
  EXPECT_TRUE(users.given && users.expanded);
  EXPECT_EQ(users.included, std::vector<std::string>{"ann"});
  EXPECT_EQ(users.excluded, std::vector<std::string>{"@eng"});
  EXPECT_FALSE(rule->scope(QuotaFilter::hosts).given);
  ASSERT_EQ(rule->limits.size(), 4u);
  EXPECT_EQ(rule->limits[0].amount, 7);
  EXPECT_EQ(rule->limits[1].amount, 1'500'000);
  EXPECT_EQ(rule->limits[2].amount, 2048);
  EXPECT_EQ(rule->limits[2].text, "2K"); // as configured: quotas Q9.14
  EXPECT_EQ(rule->limits[3].text, "x");
}

// quotas Q4.28, quotas Q4.30, objects O10.9
TEST(GivenADynamicLimit, WhenReadThenItIsASumOfProducts) {
  const auto rule = rule_of("limit hosts {@lin} queues {*} to slots=10-$num_proc*0.5+$cpu-2.5");
  ASSERT_TRUE(rule.ok()) << rule.what();
  const QuotaFormula expected{7'500'000, {{"num_proc", -500'000}, {"cpu", 1'000'000}}};
  EXPECT_EQ(rule->limits.front().formula, expected);
}

TEST(GivenARule, WhenItIsWrongThenTheTextOfGridEngineSaysSo) {
  const std::string missing_term = "a formula is made of number, $complex and $complex*number, "
                                   "joined by + or -: one of these is "
                                   "missing beside a sign";
  const std::vector<std::pair<std::string, std::string>> cases{
      // quotas Q2.9, quotas Q5.15
      {"limit users {ann to slots=1", "no valid expanded list"},
      {"limit users ann} to slots=1", "no valid expanded list"},
      {"limit users {{ann}} to slots=1", "no valid expanded list"},
      // quotas Q5.14
      {"limit users to slots=1", "resource quota set contains invalid user filter"},
      {"limit projects , to slots=1", "resource quota set contains invalid project filter"},
      {"limit pes !! to slots=1", "resource quota set contains invalid pe filter"},
      {"limit users {} to slots=1", "resource quota set contains invalid user filter"},
      {"limit users ann,to to slots=1", "resource quota set contains invalid user filter"},
      // quotas Q2.15, quotas Q5.16
      {"limit to nosuch=1",
       "\"resource_quota\" references not existing complex attribute \"nosuch\""},
      // quotas Q5.17
      {"limit users * to slots=$num_proc", "dynamic limits are only supported for per host rules"},
      {"limit hosts @lin to slots=$num_proc",
       "dynamic limits are only supported for per host rules"},
      // V9.20
      {"limit users a users b to slots=1", "attribute \"users\" appears more than once"},
      // V9.25
      {"limit to slots=many", "attribute \"slots\" is not a integer value"},
      {"limit to slots=99999999999999999999", "attribute \"slots\" is not a integer value"},
      {"limit to slots=-1", "attribute \"slots\" is consumable but has a negative value"},
      {"limit to tmem=-1", "attribute \"tmem\" has a negative value"},
      {"limit to slots=INFINITY", "attribute \"slots\" is not a value that can be set to infinity"},
      {"limit bananas x to slots=1", "unknown attribute name \"bananas\""},
      // V9.27
      {"limit hosts {*} to slots=2*$num_proc",
       "\"dynamical_limit\" uses \"$num_proc\" as weighting factor (only numbers are allowed)"},
      {"limit hosts {*} to slots=$nosuch",
       "\"dynamical_limit\" references not existing complex attribute \"nosuch\""},
      {"limit hosts {*} to slots=$num_proc/2",
       "\"dynamical_limit\" references not existing complex attribute \"num_proc/2\""},
      // quotas Q4.29
      {"limit hosts {*} to slots=$arch",
       "\"dynamical_limit\" uses \"$arch\", which is neither INT nor DOUBLE"},
      {"limit hosts {*} to arch=$num_proc", "attribute \"arch\" is not a number"},
      // quotas Q9.17
      {"limit hosts {*} to slots=-$num_proc", missing_term},
      {"limit hosts {*} to slots=$num_proc+", missing_term},
      {"limit hosts {*} to slots=$num_proc*-1", missing_term},
      {"limit hosts {*} to slots=-$num_proc+5", missing_term},
      {"limit hosts {*} to slots=$num_proc+9000000000000+9000000000000",
       "\"9000000000000\": the sum is too large"},
      {"limit hosts {*} to slots=$num_proc*9999999999",
       "\"9999999999\" is too large: a weight is at most 1000000000"},
      {"limit users ann", "a rule needs \"to\" and what it limits"},
      {"limit to", "a rule needs \"to\" and what it limits"},
      {"limit to slots", "a limit must be written complex=value"},
      {"limit to slots=1,", "a limit must be written complex=value"},
      {"limit to s=1,slots=2", "attribute \"slots\" appears more than once"},
      {"users ann to slots=1", "a rule begins with \"limit\""},
      {"", "a rule begins with \"limit\""}};
  for (const auto& [given, expected] : cases) EXPECT_EQ(refusal(given), expected) << given;
}

TEST(GivenAFormula, WhenItHasTooManyTermsThenItIsRefused) {
  std::string text = "limit hosts {*} to slots=$num_proc";
  for (int i = 0; i < 31; ++i) text += "+$num_proc";
  EXPECT_EQ(refusal(text), "");
  EXPECT_EQ(refusal(text + "+$num_proc"), "a formula names at most 32 complexes");
}

TEST(GivenAStoredSet, WhenAttributesAreMissingThenItIsEnabledAndHasNoDescription) {
  // quotas Q2.4, objects O10.3
  const auto set = QuotaSet::parse({ObjectKind::quota_set, "A", {}}, complexes());
  ASSERT_TRUE(set.ok()) << set.what();
  EXPECT_TRUE(set->enabled);
  EXPECT_EQ(set->description, "NONE");
  EXPECT_TRUE(set->rules.empty()); // quotas Q2.5
}

TEST(GivenAStoredSet, WhenItIsWrongThenTheErrorSaysWhere) {
  const auto refused = [](const ConfigurationObject& object) {
    return QuotaSet::parse(object, complexes()).what();
  };
  EXPECT_EQ(refused(set_with({}, "")), "resource quota set has no name"); // quotas Q5.12
  EXPECT_EQ(refused(set_with({}, "template")),                            // quotas Q2.16
            "Keyword (\"template\") not allowed as objectname");
  EXPECT_EQ(refused(set_with({"limit to slots=1", "limit users {a to slots=1"})),
            "no valid expanded list\nrule A/2: \"{a\"");
  auto maybe = set_with({});
  maybe.set("enabled", "MAYBE"); // V9.4
  EXPECT_EQ(refused(maybe), "attribute \"enabled\": error parsing value \"MAYBE\"");
  auto open = set_with({});
  open.set("description", "it goes on \\");
  EXPECT_EQ(refused(open), "attribute \"description\": it ends with a backslash");
  const std::vector<std::string> rules(most_quota_rules + 1, "limit to slots=1");
  EXPECT_EQ(refused(set_with(rules)),
            "resource quota set \"A\" has 1001 rules: at most 1000 are taken");
  EXPECT_EQ(refused(set_with({std::string(longest_quota_rules + 1, 'x')})),
            "resource quota set \"A\" has 131073 bytes of rules: at most 131072 are taken");
}

// objects O10.16, quotas Q5.23: a number wins over an equal name.
TEST(GivenASet, WhenARuleIsNamedThenItsLabelMeansNoOther) {
  const auto set = QuotaSet::parse(
      set_with({"limit to slots=1", "limit name cap to slots=2", "limit name 1 to slots=3",
                "limit name two to slots=4", "limit name TWO to slots=5"}),
      complexes());
  ASSERT_TRUE(set.ok()) << set.what();
  EXPECT_EQ(rule_label(*set, 0), "A/1");
  EXPECT_EQ(rule_label(*set, 1), "A/cap");
  EXPECT_EQ(rule_label(*set, 2), "A/3");
  EXPECT_EQ(rule_label(*set, 3), "A/4");
  EXPECT_EQ(rule_label(*set, 4), "A/5");
}

RC_GTEST_PROP(GivenAnyRule, WhenPrintedThenItReadsBack, ()) {
  QuotaRule rule;
  if (*rc::gen::inRange(0, 2)) rule.name = any_text("abc19_-", 8);
  for (auto& scope : rule.scopes) scope = any_scope();
  const auto limits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < limits; ++i)
    rule.limits.push_back({"c" + std::to_string(i), any_text("abc019.$*+-{}", 8), std::nullopt, 0});
  const auto read = parse_quota_rule(text_of(rule));
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == rule);
}
