// Calendars of queues: what they close, and what is planned around them (spec/scheduling.md section
// 10).
#include "assignment_fixture.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr std::int64_t monday = 18 * 86400;

class GivenQueuesWithCalendars : public AssignmentFixture {};

} // namespace

TEST_F(GivenQueuesWithCalendars, WhenACalendarClosesAQueueThenItTakesNothingAndSuspends) {
  hosts(1, 2);
  now = {monday + 7 * 3600};
  change({ObjectKind::calendar, "night", {{"week", "8-9 9-10=suspended"}}}, ChangeVerb::add);
  queue("all.q", {{"calendar", "night"}});
  const auto first = submit(alice, job("first", "10:0:0"));
  pass();
  EXPECT_EQ(place(first), "all.q@h1:1"); // nothing is planned ahead: the future does not count
  start(first);
  const auto decisions = handle(Pass{});
  EXPECT_EQ(decisions.next_turn, Instant{monday + 8 * 3600});
  now = decisions.next_turn;
  const auto second = submit(alice, job("second"));
  pass();
  EXPECT_EQ(place(second), "");
  EXPECT_NE(why(second).find("closed by its calendar"), std::string::npos) << why(second);
  EXPECT_FALSE(find(first)->tasks.front().suspended);
  now = now + Duration{3600};
  pass();
  EXPECT_TRUE(find(first)->tasks.front().suspended);
  now = now + Duration{3600};
  pass();
  EXPECT_FALSE(find(first)->tasks.front().suspended);
  EXPECT_EQ(place(second), "all.q@h1:1");
}

TEST_F(GivenQueuesWithCalendars, WhenAQueueWillCloseThenPlacesAreHeldAndReservedAroundIt) {
  hosts(1, 1);
  now = {monday + 7 * 3600};
  scheduler({{"max_reservation", "5"}, {"params", "DURATION_OFFSET=0"}});
  change({ObjectKind::calendar, "noon", {{"week", "8-9 12-13"}}}, ChangeVerb::add);
  queue("all.q", {{"calendar", "noon"}});
  auto request = job("long", "2:0:0");
  request.reserve = true;
  const auto held = submit(alice, request);
  pass();
  ASSERT_FALSE(find(held)->holds.empty());
  EXPECT_EQ(find(held)->holds.front().window.start, Instant{monday + 9 * 3600});
  EXPECT_NE(why(held).find("because the job runtime of 7200 sec. is too long"), std::string::npos)
      << why(held);
  EXPECT_EQ(placed(job("short", "1:0:0")), "all.q@h1:1");
  const auto refused = command(root, Reserve{window(now.seconds + 4 * 3600, 3 * 3600)});
  EXPECT_NE(text(refused).find("is calendar disabled in selected time frame"), std::string::npos);
  const auto granted = reserve(root, window(now.seconds + 6 * 3600, 3600));
  const auto broken = command(
      root,
      Configure{{ChangeVerb::modify, {ObjectKind::calendar, "noon", {{"week", "13-14"}}}, {}}});
  EXPECT_NE(text(broken).find("would break advance reservation " + std::to_string(granted)),
            std::string::npos)
      << text(broken);
}
