// Which rule of each resource quota set is used (docs/spec/quotas.md, section 3, First match in a
// set, AND over sets).
#include "core/policy/quota_rules.hpp"

#include "quota_fixture.hpp"

using namespace almanac;

namespace {

class GivenSetsOfRules : public QuotaFixture {
public:
  GivenSetsOfRules() {
    hosts(3, 4);
    complex("lic", "lic INT <= YES YES 0 0");
    queue("long.q", {{"hostlist", "@allhosts"}});
  }
  /// The numbers of the rules that are used at the instance, one of each set: "1 -".
  std::string used_at(const QuotaParty& party, const std::string& host,
                      const std::string& queue = "all.q") const {
    const QuotaRules rules(configuration());
    const auto candidates = rules.candidates(party);
    std::string text;
    for (std::size_t set = 0; set < rules.sets().size(); ++set) {
      const auto rule = rules.rule_at(set, candidates[set], instance(host, queue));
      text += (text.empty() ? "" : " ") + (rule ? std::to_string(*rule + 1) : "-");
    }
    return text;
  }
  const QuotaParty ann{"ann", "users", "", ""}, bob{"bob", "users", "", ""};
};

} // namespace

// Q3.13
TEST_F(GivenSetsOfRules, WhenSeveralRulesMatchThenTheFirstIsTheOnlyOne) {
  quotas("A", {"users ann to lic=1", "users * to slots=2"});
  EXPECT_EQ(used_at(ann, "h1"), "1");
  EXPECT_EQ(used_at(bob, "h1"), "2");
  quotas("A", {"users * to slots=2", "users ann to lic=1"});
  EXPECT_EQ(used_at(ann, "h1"), "1");
}

TEST_F(GivenSetsOfRules, WhenNoRuleMatchesThenTheSetDoesNotRestrict) {
  quotas("A", {"users bob to slots=1", "hosts h3 to slots=1"});
  EXPECT_EQ(used_at(ann, "h1"), "-");
  EXPECT_EQ(used_at(ann, "h3"), "2");
}

// Q3.14
TEST_F(GivenSetsOfRules, WhenThereAreSeveralSetsThenOneRuleOfEachIsUsed) {
  quotas("A", {"users bob to slots=1", "users * to slots=2"});
  quotas("B", {"users ann to lic=5"});
  EXPECT_EQ(used_at(ann, "h1"), "2 1");
  EXPECT_EQ(used_at(bob, "h1"), "1 -");
}

// Q3.15
TEST_F(GivenSetsOfRules, WhenRulesNamePlacesThenAnotherOneWinsAtEachInstance) {
  quotas("A", {"queues long.q hosts h1 to slots=1", "hosts h1 to slots=2", "users ann to slots=3",
               "queues * to slots=4"});
  EXPECT_EQ(used_at(ann, "h1", "long.q"), "1");
  EXPECT_EQ(used_at(ann, "h1"), "2");
  EXPECT_EQ(used_at(ann, "h2"), "3");
  EXPECT_EQ(used_at(bob, "h2", "long.q"), "4");
}

TEST_F(GivenSetsOfRules, WhenARuleConcernsAPartyEverywhereThenNoneBehindItIsACandidate) {
  quotas("A", {"hosts h1 to slots=1", "users bob to slots=1", "users a* to slots=1",
               "users * to slots=1"});
  const QuotaRules rules(configuration());
  EXPECT_EQ(rules.candidates(ann).front(), (QuotaRules::Candidates{0, 2}));
  EXPECT_EQ(rules.candidates(bob).front(), (QuotaRules::Candidates{0, 1}));
  EXPECT_TRUE(rules.sets().front().places.everywhere(1));
  EXPECT_FALSE(rules.sets().front().places.everywhere(0));
}

// Q4.33, Q2.5
TEST_F(GivenSetsOfRules, WhenASetIsDisabledOrHasNoRulesThenItIsNotAsked) {
  quotas("A", {"to slots=1"});
  switch_set("A", "FALSE");
  put({ObjectKind::quota_set, "B", {}});
  EXPECT_TRUE(QuotaRules(configuration()).empty());
  switch_set("A", "TRUE");
  EXPECT_EQ(QuotaRules(configuration()).sets().size(), 1u);
}
