#include "schema/door/valid_reply.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace almanac;

namespace {

constexpr auto least = std::numeric_limits<std::int64_t>::min();

bool is_valid(const door::ReplyBody& body) { return door::valid_reply(body).ok(); }

door::ReservationView reservation() {
  door::ReservationView view;
  view.shape.window = {{1'763'000'000}, Instant::never()};
  view.shape.bookings = {{Container::global(), "ram", 1LL << 50, "1P"}};
  return view;
}

} // namespace

TEST(GivenAnAnswer, WhenItIsOneOfAMasterThenItCanBeWorkedWith) {
  EXPECT_TRUE(is_valid(door::Reservations{{reservation()}, {}, {}}));
  EXPECT_TRUE(is_valid(door::Cluster{{{}}, {{}}, ""}));
  door::HostView host; // an agent may say so
  host.state.facts.memory = host.load.memory_free = 1LL << 60, host.load.swap_free = -1;
  EXPECT_TRUE(is_valid(door::Cluster{{}, {host}, ""}));
  auto view = reservation();
  view.key = {std::numeric_limits<std::int64_t>::max() - 1};
  view.shape.bookings.front().amount = std::numeric_limits<std::int64_t>::max() / 2;
  EXPECT_TRUE(is_valid(door::Reservations{{view}, {}, {}}));
  JobLine line;
  line.running = true, line.grants.emplace_back();
  EXPECT_TRUE(is_valid(door::Lines{{door::JobLines{{1}, {}, "n", "u", "", "", 0, 0, {}, {line}}}}));
}

TEST(GivenAForgedAnswer, WhenANumberWouldOverflowThenItIsRefused) {
  auto view = reservation();
  view.submitted = {least};
  EXPECT_FALSE(is_valid(door::Reservations{{view}, {}, {}}));
  view = reservation(), view.shape.window.start = {least};
  EXPECT_FALSE(is_valid(door::Reservations{{view}, {}, {}}));
  view = reservation(), view.shape.grants = {{{"all.q", "h1"}, 1LL << 60}};
  EXPECT_FALSE(is_valid(door::Reservations{{view}, {}, {}}));
  door::InstanceView instance;
  instance.total = 1LL << 60;
  EXPECT_FALSE(is_valid(door::Cluster{{instance}, {}, ""}));
  view = reservation(), view.shape.bookings.front().amount = least;
  EXPECT_FALSE(is_valid(door::Reservations{{view}, {}, {}}));
  door::JobView job;
  job.job.tasks.emplace_back().number = least;
  EXPECT_FALSE(is_valid(door::Jobs{{job}, {}}));
  job = {}, job.priority.value = least;
  EXPECT_FALSE(is_valid(door::Jobs{{job}, {}}));
  door::HostView host;
  host.key.alarm_at = {least};
  EXPECT_FALSE(is_valid(door::Cluster{{}, {host}, ""}));
  host = {}, host.load.memory_free = least;
  EXPECT_FALSE(is_valid(door::Cluster{{}, {host}, ""}));
  door::QuotaView quota;
  quota.steps = {{{least}, "1"}};
  EXPECT_FALSE(is_valid(door::Quotas{{quota}}));
  quota.steps = {{{1}, "1"}}, quota.holders = {{{1}, 0, "1", {{20}, {10}}}};
  EXPECT_FALSE(is_valid(door::Quotas{{quota}}));
  quota.holders.front().window = {{10}, Instant::never()};
  EXPECT_TRUE(is_valid(door::Quotas{{quota}}));
}

TEST(GivenAForgedAnswer, WhenSomethingIsMissingThenItIsRefused) {
  JobLine line;
  line.running = true;
  EXPECT_FALSE(
      is_valid(door::Lines{{door::JobLines{{1}, {}, "n", "u", "", "", 0, 0, {}, {line}}}}));
  auto view = reservation();
  view.shape.window = {{20}, {10}};
  EXPECT_FALSE(is_valid(door::Reservations{{view}, {}, {}}));
}
