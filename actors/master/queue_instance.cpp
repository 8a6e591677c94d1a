#include "actors/master/life_cycles.hpp"

#include "actors/inspection.hpp"
#include "actors/support.hpp"

namespace almanac {

namespace {

// Its condition as people see it. Suspending what runs in it is decided with the command and told
// by the jobs.
struct QueueInstanceState {
  static inline const char* name = "queue-instance";
  explicit QueueInstanceState(QueueInstanceActor::pointer self) : self(self) {}

  void change(const InstanceChanged& change) {
    if (change.state.error && !state.error)
      spdlog::warn("queue instance in error name={} reason={}", change.state.name.text(),
                   change.state.reason);
    state = change.state;
  }

  QueueInstanceActor::pointer self;
  InstanceState state;
};

QueueInstanceActor::behavior_type
queue_instance(Watched<QueueInstanceActor, QueueInstanceState> self, LifeCycleContext context,
               InstanceName instance) {
  enlist(self, context.directory, "queue-instance", instance.text());
  self->state.state.name = std::move(instance);
  return {
      [self](const InstanceChanged& change) { self->state.change(change); },
      [self](const Inspect& inspect) { return ActorState{show(self->state.state, inspect.json)}; },
  };
}

} // namespace

QueueInstanceActor spawn_queue_instance(caf::actor_system& system, const LifeCycleContext& context,
                                        const InstanceName& instance) {
  return system.spawn(queue_instance, context, instance);
}

} // namespace almanac
