#include "actors/master/waiting_hooks.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

HookCall call(std::int64_t sequence, std::int64_t reservation) {
  HookCall call;
  call.sequence = sequence;
  call.reservation = {reservation};
  return call;
}
std::int64_t sequence_of(const std::optional<WaitingHooks::Run>& run) {
  return run ? run->call.sequence : 0;
}

} // namespace

// B8.31, B8.32
TEST(GivenHooksOfOneReservation, WhenOneRunsThenTheNextWaitsForIt) {
  WaitingHooks hooks;
  hooks.add(call(1, 1), 1), hooks.add(call(2, 1), 1), hooks.add(call(3, 2), 2);
  EXPECT_EQ(sequence_of(hooks.next()), 1);
  const auto other = hooks.next();
  EXPECT_EQ(sequence_of(other), 3);
  EXPECT_EQ(other->attempt, 2);
  EXPECT_EQ(sequence_of(hooks.next()), 0);
  EXPECT_EQ(hooks.ended(1)->sequence, 1);
  EXPECT_EQ(sequence_of(hooks.next()), 2);
  EXPECT_EQ(hooks.waiting(), 0u);
}

TEST(GivenHooksOfManyReservations, WhenEightRunThenOthersWait) {
  WaitingHooks hooks;
  for (std::int64_t i = 1; i <= 10; ++i) hooks.add(call(i, i), 1);
  for (std::int64_t i = 1; i <= 8; ++i) EXPECT_EQ(sequence_of(hooks.next()), i);
  EXPECT_EQ(sequence_of(hooks.next()), 0);
  EXPECT_FALSE(hooks.ended(9));
  hooks.ended(5);
  EXPECT_EQ(sequence_of(hooks.next()), 9);
  EXPECT_EQ(hooks.running(), 8u);
  EXPECT_EQ(hooks.waiting(), 1u);
}

TEST(GivenHooksOfManyReservations, WhenSomebodyWaitsForOneThenItGoesFirst) {
  WaitingHooks hooks;
  hooks.add(call(1, 1), 1), hooks.add(call(2, 2), 1);
  auto awaited = call(3, 3);
  awaited.is_awaited = true;
  hooks.add(awaited, 1);
  EXPECT_EQ(sequence_of(hooks.next()), 3);
  EXPECT_EQ(sequence_of(hooks.next()), 1);
}
