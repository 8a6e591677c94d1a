// Values that formulas of quota rules miss on hosts (docs/spec/quotas.md, section 4, Static and dynamic
// limits).
#include "core/policy/quota_gaps.hpp"

#include "core/records/records.hpp"
#include "quota_fixture.hpp"

using namespace almanac;

namespace {

// Records that follow a planner, as those of the views do.
class GivenFormulasOfQuotas : public QuotaFixture {
public:
  GivenFormulasOfQuotas() {
    hosts(2, 8);
    complex("cores", "cores INT <= YES NO 0 0");
    complex("factor", "fac DOUBLE <= YES NO 0 0");
    records.follow(gaps);
    records.apply(state().records().as_effects());
  }
  void follow(const Input& input) {
    const auto decided = handle(input);
    if (decided.answer) {
      ASSERT_EQ(decided.answer->exit_code, 0) << text(*decided.answer);
    }
    records.apply(decided.effects);
  }
  void configure(ConfigurationObject object) {
    const bool is_new = !configuration().find(object.kind, object.name);
    const auto verb = is_new ? ChangeVerb::add : ChangeVerb::modify;
    follow(Command{root, Configure{{verb, std::move(object), {}}}});
  }
  void limit(const std::string& rule, const std::string& enabled = "TRUE") {
    configure({ObjectKind::quota_set, "A", {{"limit", "limit " + rule}, {"enabled", enabled}}});
  }
  void values(const std::string& host, const std::string& values) {
    configure({ObjectKind::exec_host, host, {{"complex_values", values}}});
  }
  /// "A/1 slots=$cores cores h1", a line for each that is new.
  Lines found() {
    Lines lines;
    for (const auto& gap : gaps.take_found())
      lines.push_back(gap.rule + " " + gap.limit + " " + gap.complex + " " + gap.host);
    return lines;
  }

  Records records;
  QuotaGaps gaps{records};
};

} // namespace

// Q4.32
TEST_F(GivenFormulasOfQuotas, WhenAValueIsMissingThenItIsFoundOnceForEachRuleAndHost) {
  limit("hosts {*} to slots=$cores*2");
  const Lines both{"A/1 slots=$cores*2 cores h1", "A/1 slots=$cores*2 cores h2"};
  EXPECT_EQ(found(), both);
  EXPECT_EQ(found(), Lines{});
  values("h1", "factor=2");
  EXPECT_EQ(found(), Lines{}) << "it is known";
  limit("hosts {*} to slots=$cores*3");
  EXPECT_EQ(found().size(), 2u) << "another limit";
}

TEST_F(GivenFormulasOfQuotas, WhenTheHostOrTheGlobalOneHasTheValueThenNothingIsMissing) {
  values("h1", "cores=4");
  limit("hosts {*} to slots=$cores+$num_proc");
  EXPECT_EQ(found(), Lines{"A/1 slots=$cores+$num_proc cores h2"}) << "processors are reported";
  values("global", "cores=2");
  limit("hosts {*} to slots=$cores");
  EXPECT_EQ(found(), Lines{});
}

TEST_F(GivenFormulasOfQuotas, WhenAGapIsClosedAndOpensAgainThenItIsNew) {
  limit("hosts {h1} to slots=$cores+$num_proc");
  const Lines gap{"A/1 slots=$cores+$num_proc cores h1"};
  EXPECT_EQ(found(), gap);
  values("global", "cores=4");
  EXPECT_EQ(found(), Lines{});
  values("global", "NONE");
  EXPECT_EQ(found(), gap);
}

TEST_F(GivenFormulasOfQuotas, WhenARuleDoesNotConcernAHostOrIsOffThenNothingIsMissingThere) {
  limit("hosts {h2} to slots=$cores");
  EXPECT_EQ(found(), Lines{"A/1 slots=$cores cores h2"});
  limit("queues none.q hosts {h1} to slots=$cores");
  EXPECT_EQ(found(), Lines{});
  limit("hosts {*} to slots=$cores", "FALSE");
  EXPECT_EQ(found(), Lines{});
}

// On a host that has never told what it is, nothing starts.
TEST_F(GivenFormulasOfQuotas, WhenAHostIsNewThenItsGapsAreFoundOnceItHasReported) {
  limit("hosts {*} to slots=$factor");
  EXPECT_EQ(found().size(), 2u);
  follow(Command{root, AddHost{"h3", 8}});
  EXPECT_EQ(found(), Lines{});
  follow(HostRegistered{"h3", {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
  EXPECT_EQ(found(), Lines{"A/1 slots=$factor factor h3"});
}
