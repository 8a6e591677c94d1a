// How much a limit allows, fixed or by a formula (docs/spec/quotas.md, section 4, Static and dynamic
// limits).
#include "core/policy/quota_amount.hpp"

#include "quota_fixture.hpp"

using namespace almanac;

namespace {

class GivenLimits : public QuotaFixture {
public:
  GivenLimits() {
    hosts(3, 8);
    processors("h1", 4), processors("h2", 2), processors("h3", 2);
    complex("lic", "lic INT <= YES YES 0 0");
    complex("share", "shr DOUBLE <= YES YES 0 0");
    complex("cores", "cores INT <= YES NO 0 0");
    complex("factor", "fac DOUBLE <= YES NO 0 0");
    complex("scratch", "scr MEMORY <= YES YES 0 0");
    host_group("@lin", "h1 h2");
  }
  void processors(const std::string& host, std::int64_t count) {
    tell(HostRegistered{host, {"lx-amd64", count, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
  }
  /// The limit with this value on the host.
  std::string on(const std::string& host, const std::string& limit) {
    quotas("A", {"hosts {*} to " + limit});
    return limit_on(host);
  }
};

} // namespace

// Q4.27
TEST_F(GivenLimits, WhenALimitIsStaticThenItIsReadByTheTypeOfItsComplex) {
  EXPECT_EQ(on("h1", "slots=12"), "12");
  complex("span", "span TIME <= YES YES 0 0");
  const auto amount = [&](const std::string& limit) {
    quotas("A", {"to " + limit});
    const auto& read = configuration().quota_sets().front().rules.front().limits.front();
    return amount_of(configuration(), read, "", HostState{});
  };
  EXPECT_EQ(amount("scratch=4G"), std::int64_t{4} << 30);
  EXPECT_EQ(amount("span=0:50:00"), 3'000);
  EXPECT_EQ(amount("share=1.5"), 1'500'000);
  EXPECT_EQ(amount("lic=0"), 0);
}

// Q4.28, Q4.30; case 16 of section 8
TEST_F(GivenLimits, WhenALimitIsAFormulaThenItIsASumOverValuesOfTheHost) {
  EXPECT_EQ(on("h1", "slots=$num_proc*2-1"), "7");
  EXPECT_EQ(on("h2", "slots=$num_proc*2-1"), "3");
  EXPECT_EQ(on("h1", "slots=$num_proc"), "4");
  EXPECT_EQ(on("h1", "slots=10-$num_proc"), "6");
  offer("h1", "cores=3");
  EXPECT_EQ(on("h1", "slots=$num_proc+$cores*2"), "10");
}

// Q4.30
TEST_F(GivenLimits, WhenAFormulaIsNoWholeNumberThenAnIntegerLimitIsTruncated) {
  EXPECT_EQ(on("h2", "slots=$num_proc*0.75"), "1");
  EXPECT_EQ(on("h1", "slots=$num_proc*0.3"), "1");
  offer("h1", "factor=0.5");
  EXPECT_EQ(on("h1", "slots=$factor*0.5+0.75"), "1") << "the sum, not its terms";
  EXPECT_EQ(on("h1", "slots=$factor+0.49"), "0");
}

TEST_F(GivenLimits, WhenTheLimitIsADecimalThenItKeepsItsFraction) {
  quotas("A", {"hosts {*} to share=$num_proc*0.3"});
  const auto& limit = configuration().quota_sets().front().rules.front().limits.front();
  EXPECT_EQ(amount_of(configuration(), limit, "h1", state().host("h1")), 1'200'000);
}

TEST_F(GivenLimits, WhenAFormulaIsNegativeThenTheLimitIsZero) {
  EXPECT_EQ(on("h2", "slots=$num_proc-5"), "0");
}

TEST_F(GivenLimits, WhenAFormulaIsHugeThenItDoesNotOverflow) {
  offer("h1", "cores=1000000000000");
  EXPECT_GE(std::stoll(on("h1", "slots=$cores*1000000000+$cores*1000000000")),
            1'000'000'000'000'000);
  EXPECT_EQ(on("h1", "slots=5-$cores*1000000000"), "0");
}

// Q4.31
TEST_F(GivenLimits, WhenAHostHasNoValueThenThatOfTheGlobalHostCounts) {
  offer("global", "cores=6");
  offer("h1", "cores=3");
  EXPECT_EQ(on("h1", "slots=$cores"), "3");
  EXPECT_EQ(on("h2", "slots=$cores"), "6");
  offer("h3", "num_proc=16");
  EXPECT_EQ(on("h3", "slots=$num_proc"), "16") << "what is configured, not what is reported";
  processors("h1", 12);
  EXPECT_EQ(on("h1", "slots=$num_proc"), "12") << "at scheduling time";
}

// Q4.29, Q4.31
TEST_F(GivenLimits, WhenAHostReportsItsLoadThenAFormulaCountsWithIt) {
  EXPECT_EQ(on("h1", "slots=$load_avg"), "0") << "not known";
  HostLoad load;
  load.load_short = 100, load.load_medium = 600, load.load_long = 200, load.cpu = 5000;
  tell(LoadChanged{"h1", load});
  EXPECT_EQ(on("h1", "slots=$load_avg"), "6");
  EXPECT_EQ(on("h1", "slots=8-$np_load_avg*2"), "5") << "of 4 processors";
  EXPECT_EQ(on("h1", "slots=$load_short+$load_long"), "3");
  EXPECT_EQ(on("h1", "slots=$cpu*0.1"), "5");
  offer("h1", "load_avg=2");
  EXPECT_EQ(on("h1", "slots=$load_avg"), "2") << "what is configured";
}

// Q4.32
TEST_F(GivenLimits, WhenAValueIsMissingThenTheLimitIsZeroThere) {
  EXPECT_EQ(on("h1", "slots=$cores+5"), "0");
  EXPECT_EQ(on("h1", "slots=5-$cores"), "0");
  ASSERT_EQ(command(root, AddHost{"h4", 8}).exit_code, 0);
  EXPECT_EQ(on("h4", "slots=$num_proc"), "0") << "it has not reported yet";
}
