// Counters of quotas where queue instances go and come while something is planned on them.
#include "core/policy/quota_counters.hpp"
#include "core/records/records.hpp"
#include "matching_fixture.hpp"

using namespace almanac;

namespace {

// Records that follow a planner, as those who show them do, and know a job that the planner does not.
class GivenAHoldOnAHostThatMayGo : public MatchingFixture {
public:
  Records records;
  QuotaCounters counters{records};

  GivenAHoldOnAHostThatMayGo() {
    hosts(2, 4);
    change({ObjectKind::quota_set, "A", {{"limit", "limit to slots=9"}}}, ChangeVerb::add);
    records.follow(counters);
    records.apply(state().records().as_effects());
    plan(true);
  }
  void plan(bool is_held) {
    Job job;
    job.key = {100}, job.number = {100}, job.owner = alice;
    if (is_held) {
      Hold hold;
      hold.window = {now, now + Duration{100}}, hold.grants = {{{"all.q", "h2"}, 3}};
      job.holds = {hold};
    }
    records.apply({std::make_shared<const Job>(std::move(job))});
  }
  void keep_hosts(const std::string& names) {
    const auto decided = handle(
        Command{root, Configure{{ChangeVerb::modify,
                                 {ObjectKind::host_group, "@allhosts", {{"hostlist", names}}},
                                 {}}}});
    ASSERT_EQ(decided.answer->exit_code, 0) << text(*decided.answer);
    records.apply(decided.effects);
  }
  std::int64_t used() const {
    EXPECT_TRUE(counters.agrees(records));
    std::int64_t sum = 0;
    for (const auto& [key, booked] : counters.table(0).counters()) sum += booked.at(now);
    return sum;
  }
};

} // namespace

TEST_F(GivenAHoldOnAHostThatMayGo, WhenTheHostGoesThenNothingOfItStaysCounted) {
  EXPECT_EQ(used(), 3);
  keep_hosts("h1");
  EXPECT_EQ(used(), 0);
  plan(false);
  EXPECT_EQ(used(), 0);
}

TEST_F(GivenAHoldOnAHostThatMayGo, WhenTheHostIsBackThenItCountsAndCanBeTakenBack) {
  keep_hosts("h1"), keep_hosts("h1 h2");
  EXPECT_EQ(used(), 3);
  plan(false);
  EXPECT_EQ(used(), 0);
}
