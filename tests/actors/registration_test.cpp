// What the planner is asked when an agent comes, and what is made of its decision.
#include "actors/master/registration.hpp"
#include "core/planning/planner.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

class GivenAHostThatRegisters : public ActorFixture {
public:
  Planner planner = *Planner::restore(Planner::initial_records("root", "master"));
  RegisterHost news{"h1", {}, {{{3}, 0, 1}, {{9}, 0, 1}, {{4}, 0, 1}}, {"K", 1, {}}, Rival::none};

  GivenAHostThatRegisters() {
    auto valid = validated(Command{{"root", "root", 0, 0, "master"}, AddHost{"h1", 1}});
    planner.handle(std::get<Valid<Command>>(valid), clock.now());
  }
  HostTasks register_it() {
    const auto before = planner.state().host_key("h1").alarm_at;
    const auto decisions = planner.handle(registration_of(news), clock.now());
    return known_tasks(news, planner.state(), decisions, before);
  }
};

} // namespace

TEST_F(GivenAHostThatRegisters, WhenItHasTasksThenThePlannerHearsTheHighestKeyOfTheirJobs) {
  const auto input = registration_of(news);
  EXPECT_EQ(input.host, "h1");
  EXPECT_EQ(input.highest_key, 9);
  news.tasks.clear();
  EXPECT_EQ(registration_of(news).highest_key, 0);
}

TEST_F(GivenAHostThatRegisters, WhenItIsAdmittedThenNothingIsSaidAgainstIt) {
  const auto known = register_it();
  EXPECT_EQ(known.refusal, "");
  EXPECT_EQ(known.alarm, "");
  EXPECT_TRUE(known.wanted.empty());
  EXPECT_TRUE(known.over.empty()) << "these records do not know such jobs";
}

TEST_F(GivenAHostThatRegisters, WhenTwoHaveItsKeyThenTheSecondIsRefusedAndPeopleHearOfItOnce) {
  register_it();
  news.rival = Rival::lively;
  const auto second = register_it();
  EXPECT_NE(second.refusal, "");
  EXPECT_NE(second.alarm, "");
  EXPECT_EQ(register_it().alarm, "") << "that was said";
}

TEST_F(GivenAHostThatRegisters, WhenASessionLooksForItThenItIsFoundIfItsKeyCounts) {
  const auto host = partner();
  EXPECT_EQ(found_host({"h1", {"K", 1, {}}}, host.pointer(), {}, clock.now()).host, host.pointer());
  EXPECT_EQ(found_host({"h1", {"K", 1, {}}}, nullptr, {}, clock.now()).refusal,
            "host h1 is not an exec host of this cell");
  HostKey known{"h1", KeyState::good, "K", 1, 1, {}, {}, {}, {}};
  revoke(known, clock.now());
  const auto refused = found_host({"h1", {"K", 1, {}}}, host.pointer(), known, clock.now());
  EXPECT_FALSE(refused.host);
  EXPECT_TRUE(refused.refusal.starts_with("the agent of host h1 is not let in: "));
}
