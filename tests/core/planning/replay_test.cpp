// Whatever is done: the records restore to an equal planner, the inputs replay to an equal one, and
// nothing is ever booked above capacity.
#include "any_history.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>

using namespace almanac;

RC_GTEST_PROP(GivenAnyHistory, WhenRestoredOrReplayedThenThePlannerIsEqualAndNothingIsOverbooked,
              ()) {
  World world;
  set_up(world);
  const auto steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) {
    random_step(world);
    const auto& state = world.planner.state();
    // An overrun or a lost host may leave an instance full where a reservation begins: those are
    // facts, taken as they are. What was granted must fit.
    const bool overrun =
        std::any_of(state.reservations().begin(), state.reservations().end(),
                    [](auto& r) { return r.is_ending(); }) ||
        any_task(state, [&](const Task& t) {
          const auto assumed =
              t.limit.is_endless() ? state.configuration().scheduler().default_duration : t.limit;
          return t.is_active() && t.booked.end - t.booked.start > assumed + Duration{60};
        });
    for (const char* host : {"h1", "h2"}) {
      const InstanceName instance{"all.q", host};
      const auto container = Container::queue(instance);
      if (!overrun)
        RC_ASSERT(state.ledger().used(container, "slots", {world.now, Instant::never()}) <= 3);
      for (const auto& reservation : state.reservations())
        RC_ASSERT(state.ledger_of(reservation.key)
                      .used(container, "slots", {world.now, Instant::never()}) <=
                  reservation.shape.slots_on(instance));
    }
  }
  auto restored = Planner::restore(world.planner.state().records().copy());
  RC_ASSERT(restored.ok());
  RC_ASSERT(restored->digest() == world.planner.digest());
  auto replayed = Planner::restore(Planner::initial_records("root", "master"));
  for (const auto& [input, at] : world.inputs) replayed->handle(valid_one(input), at);
  RC_ASSERT(replayed->digest() == world.planner.digest());
  // Both decide the same from a restart on.
  for (const auto& input : {ValidInput(Restarted{}), ValidInput(Pass{})}) {
    const auto next = world.planner.handle(input, world.now);
    RC_ASSERT(restored->handle(input, world.now).effects.size() == next.effects.size());
  }
  RC_ASSERT(restored->digest() == world.planner.digest());
}
