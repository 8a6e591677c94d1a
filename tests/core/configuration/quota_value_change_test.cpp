// qconf's attribute switches on quota sets: limits of rules, and what a set has itself.
#include "tests/core/configuration/value_change_fixture.hpp"

using namespace almanac;

namespace {

class GivenAQuotaSet : public ValueChangeFixture {
public:
  GivenAQuotaSet() {
    make({ChangeVerb::add,
          {ObjectKind::quota_set,
           "A",
           {{"limit", "limit users ann to slots=5\tlimit name cap users * to slots=2,licences=4\t"
                      "limit name 1 hosts {*} to slots=9"}}},
          {}});
    make({ChangeVerb::add, {ObjectKind::quota_set, "B", {{"limit", "limit to slots=1"}}}, {}});
  }
  std::string set(ChangeVerb verb, const std::string& attribute, const std::string& text,
                  const std::string& id) {
    return change(verb, ObjectKind::quota_set, id, {{attribute, text}});
  }
  std::string limit(ChangeVerb verb, const std::string& text, const std::string& id) {
    return set(verb, "limit", text, id);
  }
  std::string rule(std::size_t number, const std::string& name = "A") const {
    const auto texts = split_rules(value(ObjectKind::quota_set, name, "limit"));
    return number > texts.size() ? "" : texts[number - 1];
  }
  std::string names() const {
    std::string all;
    for (const auto& one : configuration.quota_sets()) all += one.name + " ";
    return all;
  }
};

} // namespace

TEST_F(GivenAQuotaSet, WhenARuleIsNamedThenANumberWinsOverAnEqualName) {
  // Q5.22, Q5.23, V9.16
  EXPECT_EQ(limit(modify, "slots=7,slots=8", "A/1"),
            "refused: attribute \"slots\" appears more than once\n\"slots=8\"");
  EXPECT_EQ(limit(modify, "slots=6", "A/1"), "");
  EXPECT_EQ(rule(1), "limit users ann to slots=6");
  EXPECT_EQ(rule(3), "limit name 1 hosts {*} to slots=9");
  EXPECT_EQ(limit(modify, "slots=3", "A/CAP"), "");
  EXPECT_EQ(rule(2), "limit name cap users * to slots=3,licences=4");
}

TEST_F(GivenAQuotaSet, WhenALimitIsAddedThenOneThatIsThereStays) {
  EXPECT_EQ(limit(add, "lic=3", "A/1"), ""); // Q5.24, with its shortcut: Q2.12
  EXPECT_EQ(rule(1), "limit users ann to slots=5,licences=3");
  EXPECT_EQ(limit(add, "slots=20", "A/1"), // Q5.31, V9.17, Q9.16
            "No modification because \"slots\" already exists in \"resource_quota_rules\" of "
            "\"resource_quota\"\n");
  EXPECT_EQ(rule(1), "limit users ann to slots=5,licences=3");
  EXPECT_EQ(limit(add, "slots=$num_proc*2", "A/1"), // it is there, so nothing is written
            "No modification because \"slots\" already exists in \"resource_quota_rules\" of "
            "\"resource_quota\"\n");
}

TEST_F(GivenAQuotaSet, WhenALimitIsDeletedThenItGoesByItsName) {
  EXPECT_EQ(limit(remove_them, "slots=99", "A/cap"), ""); // Q5.25
  EXPECT_EQ(rule(2), "limit name cap users * to licences=4");
  EXPECT_EQ(limit(remove_them, "slots", "A/cap"),
            "\"slots\" does not exist in \"resource_quota_rules\" of \"resource_quota\"\n");
  EXPECT_EQ(limit(remove_them, "nosuch=1", "A/cap"),
            "\"nosuch\" does not exist in \"resource_quota_rules\" of \"resource_quota\"\n");
}

TEST_F(GivenAQuotaSet, WhenItsLastLimitIsDeletedThenTheRuleIsLeftOut) {
  EXPECT_EQ(limit(remove_them, "slots=5", "A/1"), ""); // Q5.26
  EXPECT_EQ(rule(1), "limit name cap users * to slots=2,licences=4");
  EXPECT_EQ(rule(3), "");
  EXPECT_EQ(limit(remove_them, "slots", "B/1"), "");
  EXPECT_EQ(value(ObjectKind::quota_set, "B", "limit"), "NONE");
  EXPECT_EQ(limit(add, "slots=1", "B/1"),
            "refused: no resource quota rule specified for modification");
}

TEST_F(GivenAQuotaSet, WhenALimitIsModifiedThenOneThatIsMissingIsAdded) {
  EXPECT_EQ(limit(modify, "slots=7,lic=8", "A/1"), // Q5.27
            "Unable to find \"licences\" in \"resource_quota_rules\" of \"resource_quota\" - "
            "Adding new element.\n");
  EXPECT_EQ(rule(1), "limit users ann to slots=7,licences=8");
}

TEST_F(GivenAQuotaSet, WhenLimitsAreReplacedThenNoOtherIsLeft) {
  EXPECT_EQ(limit(replace, "lic=1,h_vmem=4G", "A/cap"), ""); // Q5.28
  EXPECT_EQ(rule(2), "limit name cap users * to licences=1,h_vmem=4G");
}

TEST_F(GivenAQuotaSet, WhenALimitIsWrongThenItIsRefusedLikeInAFile) {
  EXPECT_EQ(limit(add, "nosuch=1", "A/1"),
            "refused: \"resource_quota\" references not existing complex attribute \"nosuch\"\n"
            "rule A/1: \"nosuch\"");
  EXPECT_EQ(limit(modify, "slots=$num_proc", "A/1"),
            "refused: dynamic limits are only supported for per host rules\n"
            "rule A/1: \"$num_proc\"");
  EXPECT_EQ(limit(modify, "slots=$num_proc", "A/3"), "");
  for (const char* text : {"slots", "=1", "slots=", "slots=1,users", "slots=1 users ann"})
    EXPECT_TRUE(
        limit(add, text, "A/1").starts_with("refused: a limit must be written complex=value\n"))
        << text;
  EXPECT_EQ(limit(remove_them, ",", "A/1"), "refused: a limit must be written complex=value\n\"\"");
  EXPECT_TRUE(limit(replace, "slots=1\tlimit to slots=0", "A/1").starts_with("refused"))
      << "no rule comes in with a limit";
  EXPECT_EQ(rule(1), "limit users ann to slots=5");
}

TEST_F(GivenAQuotaSet, WhenASwitchOrATextOfTheSetIsModifiedThenItIsStoredAsUsual) {
  EXPECT_EQ(set(modify, "enabled", "false", "A"), ""); // Q5.29
  EXPECT_EQ(value(ObjectKind::quota_set, "A", "enabled"), "FALSE");
  EXPECT_EQ(set(modify, "description", "\"of the course\"", "A"), "");
  EXPECT_EQ(value(ObjectKind::quota_set, "A", "description"), "of the course");
  EXPECT_EQ(set(modify, "enabled", "MAYBE", "A"), "refused: error parsing value \"MAYBE\""); // V9.4
  EXPECT_TRUE(set(remove_them, "enabled", "TRUE", "A").starts_with("refused: "));
}

TEST_F(GivenAQuotaSet, WhenItsNameIsModifiedThenItStaysInItsPlace) {
  EXPECT_EQ(set(modify, "name", "C", "A"), ""); // Q5.30, Q2.16, Q9.18
  EXPECT_EQ(names(), "C B ");
  EXPECT_EQ(rule(1, "C"), "limit users ann to slots=5");
  EXPECT_EQ(set(modify, "name", "B", "C"), "refused: resource quota set \"B\" already exists");
  EXPECT_EQ(set(modify, "name", "template", "C"),
            "refused: Keyword (\"template\") not allowed as objectname");
  EXPECT_TRUE(set(modify, "name", "C/1", "C").starts_with("refused: \"C/1\" is not a valid"));
  EXPECT_EQ(set(modify, "name", "C", "C"), "");
  EXPECT_EQ(change(modify, ObjectKind::quota_set, "C", {{"name", "D"}, {"enabled", "0"}}), "");
  EXPECT_EQ(value(ObjectKind::quota_set, "D", "enabled"), "FALSE");
  EXPECT_EQ(names(), "D B ");
}

TEST_F(GivenAQuotaSet, WhenASetOrARuleIsNotThereThenNothingIsChanged) {
  EXPECT_EQ(set(modify, "enabled", "true", "nosuch"), // Q5.32
            "refused: denied: resource quota set \"nosuch\" does not exist");
  EXPECT_EQ(limit(add, "slots=1", "nosuch/1"),
            "refused: denied: resource quota set \"nosuch\" does not exist");
  for (const char* id : {"A", "A/", "A/0", "A/4", "A/nosuch", "A/1/1", "A/99999999999999999999"})
    EXPECT_EQ(limit(add, "slots=1", id), // Q5.33, V9.18
              "refused: no resource quota rule specified for modification")
        << id;
}

TEST_F(GivenAQuotaSet, WhenAFilterOrAnUnknownWordIsNamedThenItIsInvalid) {
  // V9.19
  EXPECT_EQ(set(add, "users", "bob", "A/1"),
            "refused: The attribute name (\"users\") and/or value (\"bob\") is invalid");
  EXPECT_EQ(set(modify, "position", "0", "B"),
            "refused: The attribute name (\"position\") and/or value (\"0\") is invalid");
  EXPECT_EQ(set(modify, "enabled", "true", "A/1"),
            "refused: The attribute name (\"enabled\") and/or value (\"true\") is invalid");
  EXPECT_EQ(names(), "A B ");
}
