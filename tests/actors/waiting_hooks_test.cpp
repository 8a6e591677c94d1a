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
  hooks.add(call(1, 1)), hooks.add(call(2, 1)), hooks.add(call(3, 2));
  EXPECT_EQ(sequence_of(hooks.next()), 1);
  const auto other = hooks.next();
  EXPECT_EQ(sequence_of(other), 3);
  EXPECT_EQ(sequence_of(hooks.next()), 0);
  EXPECT_EQ(hooks.ended(1)->sequence, 1);
  EXPECT_EQ(sequence_of(hooks.next()), 2);
  EXPECT_EQ(hooks.waiting(), 0u);
}

// B8.31: one that waited for another of its reservation was not begun before the crash.
TEST(GivenHooksThatAreLeft, WhenTheyRunThenOnlyTheFirstOfAReservationHasASecondAttempt) {
  WaitingHooks hooks;
  hooks.add_left(call(1, 1)), hooks.add_left(call(2, 1)), hooks.add_left(call(3, 2));
  hooks.add(call(4, 3));
  std::map<std::int64_t, std::int64_t> attempts;
  while (const auto run = hooks.next()) attempts[run->call.sequence] = run->attempt;
  hooks.ended(1);
  const auto second = hooks.next();
  ASSERT_EQ(sequence_of(second), 2);
  attempts[2] = second->attempt;
  EXPECT_EQ(attempts, (std::map<std::int64_t, std::int64_t>{{1, 2}, {2, 1}, {3, 2}, {4, 1}}));
}

TEST(GivenHooksOfManyReservations, WhenEightRunThenOthersWait) {
  WaitingHooks hooks;
  for (std::int64_t i = 1; i <= 10; ++i) hooks.add(call(i, i));
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
  hooks.add(call(1, 1)), hooks.add(call(2, 2));
  auto awaited = call(3, 3);
  awaited.is_awaited = true;
  hooks.add(awaited);
  EXPECT_EQ(sequence_of(hooks.next()), 3);
  EXPECT_EQ(sequence_of(hooks.next()), 1);
}
