// What happens on one host is looked at there, however much there is on others.
#include "core/planning/planner.hpp"
#include "core/planning/commands/configuration_commands.hpp"
#include "core/planning/commands/delete_reservations.hpp"
#include "core/planning/commands/queue_commands.hpp"
#include "core/planning/commands/reserve.hpp"
#include "core/planning/commands/submission.hpp"
#include "core/planning/facts/host_facts.hpp"
#include "core/planning/throttling.hpp"
#include "core/planning/pass/slice.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/suspension.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

struct TwoHosts : ::testing::Test {
  TwoHosts() {
    for (const char* host : {"h1", "h2"}) {
      rules::add_host(state, root, AddHost{host, 1000}, now);
      rules::host_registered(state, {host, {"lx-amd64", 4, 8LL << 30, "boot", "spool", "a:1"}},
                             now);
    }
    state.take_effects(now);
  }
  void reserve(const std::string& host) {
    ReservationRequest request;
    request.start = now + Duration{100}, request.duration = {100}, request.has_duration = true;
    request.queues = {"all.q@" + host};
    ASSERT_EQ(rules::reserve(state, root, {request}, now).exit_code, 0);
  }
  void run(const std::string& host) {
    JobRequest request;
    request.name = "job", request.queues = {"all.q@" + host};
    ASSERT_EQ(rules::submit(state, root, Submit{request, ""}, now).exit_code, 0);
    state.take_effects(now);
    rules::pass(state, now);
    state.take_effects(now);
  }

  State state{*State::restore(Planner::initial_records("root", "master"))};
  Instant now{1'000'000};
  Caller root{"root", "root", 0, 0, "master"};
};

using GivenTwoHostsWithMuch = TwoHosts;

} // namespace

TEST_F(GivenTwoHostsWithMuch, WhenOneChangesThenReservationsOfTheOtherAreNotLookedAt) {
  for (int i = 0; i < 20; ++i) reserve("h1");
  reserve("h2");
  EXPECT_EQ(rules::refresh_reservation_health(state, "h2"), 1);
  EXPECT_EQ(rules::refresh_reservation_health(state, "h1"), 20);
  EXPECT_EQ(rules::refresh_reservation_health(state, "h3"), 0);
  const auto last = state.records().all<Reservation>().rbegin()->second->number;
  rules::delete_reservations(state, root, {{to_string(last)}, {}, false}, now);
  EXPECT_EQ(rules::refresh_reservation_health(state, "h2"), 0);
}

TEST_F(GivenTwoHostsWithMuch, WhenOneIsSuspendedThenTasksOfTheOtherAreNotLookedAt) {
  for (int i = 0; i < 20; ++i) run("h1");
  run("h2");
  EXPECT_EQ(rules::follow_suspension(state, {"h2"}), 1);
  EXPECT_EQ(rules::follow_suspension(state, {"h1", "h2"}), 21);
  rules::modify_queues(state, root, {QueueAction::suspend, {"all.q@h2"}}, now);
  for (const auto& task : state.tasks())
    EXPECT_EQ(task.suspended, state.job(task.job)->request->queues.front() == "all.q@h2");
}

TEST_F(GivenTwoHostsWithMuch, WhenOneIsOverItsThresholdThenTasksOfTheOtherGoOn) {
  auto change = ConfigurationObject{ObjectKind::cluster_queue, "all.q", {}};
  change.attributes = {
      {"load_thresholds", "NONE"}, {"suspend_thresholds", "np_load_avg=2"}, {"nsuspend", "100"}};
  ASSERT_EQ(rules::configure(state, root, {{ChangeVerb::modify, change, {}}}, now).exit_code, 0);
  for (int i = 0; i < 20; ++i) run("h1");
  for (int i = 0; i < 3; ++i) run("h2");
  rules::load_changed(state, {"h2", {900, 900, 900, -1, -1, -1, -1}});
  rules::throttle(state, now);
  for (const auto& task : state.tasks()) {
    EXPECT_EQ(task.throttled, state.job(task.job)->request->queues.front() == "all.q@h2");
    EXPECT_EQ(task.suspended, task.throttled);
  }
  EXPECT_TRUE(state.instance({"all.q", "h2"}).throttles);
  EXPECT_FALSE(state.instance({"all.q", "h1"}).throttles);
}

TEST_F(GivenTwoHostsWithMuch, WhenOneIsSilentThenWhatIsHeldOnTheOtherIsNotLookedAt) {
  auto change = ConfigurationObject{ObjectKind::scheduler_configuration, "", {}};
  change.attributes = {{"max_reservation", "10"}, {"default_duration", "1:0:0"}};
  ASSERT_EQ(rules::configure(state, root, {{ChangeVerb::modify, change, {}}}, now).exit_code, 0);
  for (const char* host : {"h1", "h2"}) {
    JobRequest large;
    large.name = "large", large.queues = {std::string("all.q@") + host};
    large.pe = "fill", large.slots = {{1000, 1000}}, large.reserve = true;
    large.resources = {{"h_rt", "60"}};
    run(host);
    ASSERT_EQ(rules::submit(state, root, Submit{large, ""}, now).exit_code, 0);
  }
  state.take_effects(now);
  rules::pass(state, now);
  state.take_effects(now);
  ASSERT_EQ(state.waiting().holders().size(), 2);
  ASSERT_TRUE(state.waiting().unsettled().empty());
  rules::host_silent(state, {"h2", false}, now);
  EXPECT_EQ(state.waiting().unsettled(), (std::set{state.jobs().rbegin()->first}));
}
