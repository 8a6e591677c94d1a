#include "actors/agent/agent_parts.hpp"
#include "actors/support.hpp"

namespace almanac {

namespace {

struct SensorState {
  static inline const char* name = "sensor";
  explicit SensorState(SensorActor::pointer self) : self(self) {}

  void begin(Duration wanted) {
    period = wanted;
    measure();
  }

  void measure() {
    self->send(context->agent, LoadMeasured{context->setup.launcher->load()});
    ++measured;
    self->delayed_send(self, to_chrono(period), Wake{++generation});
  }

  SensorActor::pointer self;
  std::shared_ptr<const AgentContext> context;
  Duration period{40};
  std::int64_t generation = 0, measured = 0;
};

SensorActor::behavior_type sensor(Watched<SensorActor, SensorState> self,
                                  std::shared_ptr<const AgentContext> context) {
  end_process_on_exception(self, "sensor");
  enlist(self, context->setup.directory, "sensor", "");
  self->state.context = std::move(context);
  return {
      [self](const Measure& measure) { self->state.begin(measure.period); },
      [self](const Wake& wake) {
        if (wake.generation == self->state.generation) self->state.measure();
      },
      [self](const Inspect&) {
        return ActorState{"period: " + std::to_string(self->state.period.seconds) +
                          "\nmeasured: " + std::to_string(self->state.measured) + "\n"};
      },
  };
}

} // namespace

SensorActor spawn_sensor(caf::actor_system& system, std::shared_ptr<const AgentContext> context) {
  return system.spawn(sensor, std::move(context));
}

} // namespace almanac
