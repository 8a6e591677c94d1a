// What qstat -j says beside the reasons of places.
#include "planner_fixture.hpp"

using namespace almanac;

TEST_F(PlannerFixture, WhenNothingIsHeldForAJobWithReserveThenItSaysSo) {
  hosts(1, 1);
  submit(alice, job("first"));
  pass();
  auto request = job("second");
  request.reserve = true;
  const auto waits = submit(alice, request);
  pass();
  const auto why = [&] { return text(planner.ask(ExplainJob{{waits}}, now)); };
  EXPECT_NE(why().find("max_reservation is 0"), std::string::npos) << why();
  command(root, Configure{{ChangeVerb::modify,
                           {ObjectKind::scheduler_configuration, "", {{"max_reservation", "5"}}},
                           {}}});
  pass();
  EXPECT_EQ(why().find("max_reservation is 0"), std::string::npos) << why();
}
