#include "core/policy/priority_tally.hpp"

#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

// Records of its own, with the configuration of a planner in which licenses are urgent.
class GivenATallyOfPriorities : public PlannerFixture {
public:
  GivenATallyOfPriorities() {
    records.follow(tally);
    license_urgency("10");
  }
  void license_urgency(const std::string& urgency) {
    auto table = *planner.state().configuration().find(ObjectKind::complex, "");
    table.set("license", "lic INT <= YES YES 0 " + urgency);
    EXPECT_EQ(command(root, Configure{{ChangeVerb::modify, table, {}}}).exit_code, 0);
    records.reconfigure({planner.state().configuration(), {}, {}, ChangedKinds::all()});
  }
  void put(std::int64_t key, JobRequest request) {
    Job made;
    made.key = {key}, made.request = std::move(request);
    records.put(std::move(made));
  }
  static JobRequest wants(std::int64_t licenses) {
    auto request = job("j");
    if (licenses > 0) request.resources = {{"license", std::to_string(licenses)}};
    return request;
  }
  std::int64_t normal(std::int64_t licenses) const {
    return tally.urgencies({1}).normal(resource_urgency(records.configuration(), wants(licenses)));
  }

  Records records;
  PriorityTally tally{records};
};

} // namespace

TEST_F(GivenATallyOfPriorities, WhenJobsComeAndGoThenUrgenciesAreNormalisedByThoseThatAreThere) {
  put(1, wants(0)), put(2, wants(4));
  EXPECT_EQ(normal(1), 250'000);
  put(3, wants(8));
  EXPECT_EQ(normal(1), 125'000);
  records.erase<Job>({3});
  EXPECT_EQ(normal(1), 250'000);
  records.erase<Job>({1});
  EXPECT_EQ(normal(4), 500'000) << "all are equal";
}

TEST_F(GivenATallyOfPriorities, WhenOneHasADeadlineThenUrgenciesChangeWithTime) {
  put(1, wants(1));
  EXPECT_TRUE(tally.knows_urgencies());
  records.edit<Job>({1}, [](Job& one) { one.request.edit().deadline = {1000}; });
  EXPECT_FALSE(tally.knows_urgencies());
  EXPECT_FALSE(tally.has_tickets());
  records.edit<Job>({1}, [](Job& one) { one.request.edit().override_tickets = 3; });
  EXPECT_TRUE(tally.has_tickets());
}

TEST_F(GivenATallyOfPriorities, WhenTheConfigurationChangesThenItIsMadeAnew) {
  put(1, wants(0)), put(2, wants(4));
  license_urgency("0");
  EXPECT_TRUE(tally.agrees(records));
  EXPECT_EQ(normal(1), 500'000) << "no license is urgent any more";
}

TEST_F(GivenATallyOfPriorities, WhenRecordsAreRestoredThenItKnowsThem) {
  RecordSet stored;
  stored.objects = planner.state().configuration().objects();
  stored.jobs.resize(1);
  stored.jobs.front().key = {1}, stored.jobs.front().request.edit().deadline = {1000};
  Records restored;
  PriorityTally anew(restored);
  restored.follow(anew);
  ASSERT_TRUE(restored.restore(std::move(stored)).ok());
  EXPECT_FALSE(anew.knows_urgencies());
  EXPECT_TRUE(restored.followers_agree());
}

TEST_F(GivenATallyOfPriorities, WhenRecordsChangeInAnyWayThenItIsWhatItWouldBeMadeAnew) {
  rc::check([this] {
    for (int i = 0; i < 30; ++i) {
      const std::int64_t key = *rc::gen::inRange(1, 6);
      auto request = wants(*rc::gen::inRange(0, 4));
      request.deadline = {*rc::gen::element<std::int64_t>(0, 0, 1000)};
      request.override_tickets = *rc::gen::element<std::int64_t>(0, 0, 2);
      if (!records.find<Job>({key})) put(key, std::move(request));
      else if (*rc::gen::arbitrary<bool>()) records.erase<Job>({key});
      else
        records.edit<Job>({key}, [&](Job& one) {
          if (*rc::gen::arbitrary<bool>()) one.request.edit() = request;
          else one.held_by_user = true;
        });
      RC_ASSERT(tally.agrees(records));
    }
  });
}
