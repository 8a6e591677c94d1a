// Keys that were given by records which are lost: hosts still have tasks of such jobs.
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenACellFromABackup : public PlannerFixture {
public:
  GivenACellFromABackup() {
    hosts(1, 1);
    restart();
  }
  void restart() { tell(Restarted{1, planner.digest(), false, {}, "master"}); }
  void has_tasks_up_to(std::int64_t key) {
    tell(HostRegistered{"h1", {"lx-amd64", 4, 8LL << 30, "boot", "spool", "h1:1"}, key});
  }
  std::int64_t last_key() const { return planner.state().counters().last_key; }
};

constexpr std::int64_t million = 1'000'000;

} // namespace

TEST_F(GivenACellFromABackup, WhenAHostHasTasksOfLaterJobsThenNewOnesGetOtherKeys) {
  const auto before = last_key();
  has_tasks_up_to(before + 5000);
  EXPECT_EQ(last_key(), before + 5000);
  EXPECT_EQ(find(submit(alice, job("new")))->key.value, before + 5001);
}

TEST_F(GivenACellFromABackup, WhenAHostSpeaksOfMoreThanAMillionThenItIsNotBelieved) {
  const auto before = last_key();
  const auto number = planner.state().counters().last_job_number;
  for (const auto skipped : {million + 1, 99 * million, std::int64_t{1} << 62})
    has_tasks_up_to(before + skipped);
  EXPECT_EQ(last_key(), before);
  EXPECT_EQ(planner.state().counters().last_job_number, number);
  EXPECT_EQ(planner.state().counters().lost_to, 0);
}

TEST_F(GivenACellFromABackup, WhenItSaysSoAgainAndAgainThenAMillionIsAllThatIsSkippedUntilAStart) {
  const auto before = last_key();
  for (int i = 0; i < 100; ++i) has_tasks_up_to(last_key() + million / 4);
  EXPECT_EQ(last_key(), before + million);
  restart();
  has_tasks_up_to(last_key() + million);
  EXPECT_EQ(last_key(), before + 2 * million);
}

// Who replays from there believes no more than was believed.
TEST_F(GivenACellFromABackup,
       WhenItsRecordsAreReadInTheMiddleOfALifeThenWhatWasSkippedStillCounts) {
  has_tasks_up_to(last_key() + million);
  const auto before = last_key();
  planner = *Planner::restore(planner.state().records().copy());
  has_tasks_up_to(before + 1);
  EXPECT_EQ(last_key(), before);
}

TEST_F(GivenACellFromABackup, WhenTheStoreHasCountersOfNoUseThenItIsNotBegunWith) {
  const auto records = planner.state().records().copy();
  for (const auto field :
       {&Counters::last_key, &Counters::last_job_number, &Counters::lost_to, &Counters::skipped})
    for (const auto value : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
      auto broken = records;
      broken.counters.*field = value;
      EXPECT_FALSE(Planner::restore(broken)) << value;
    }
}
