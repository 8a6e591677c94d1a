#include "actors/agent/agent_parts.hpp"
#include "actors/support.hpp"

namespace almanac {

namespace {

constexpr Duration usage_wait{
    1}; // from what is asked of tasks and load sensors to what is known then

struct SensorState {
  static inline const char* name = "sensor";
  explicit SensorState(SensorActor::pointer self) : self(self) {}

  void begin(const Measure& wanted) {
    period = wanted.period, of_tasks = wanted.of_tasks;
    has_sensors = !wanted.sensors.content.empty();
    context->setup.launcher->use_sensors(wanted.sensors, wanted.sensors_signature);
    measure();
  }

  void measure() {
    auto& launcher = *context->setup.launcher;
    if (has_sensors) launcher.ask_sensors();
    else tell_load();
    ++measured;
    if (of_tasks) launcher.ask_usage();
    if (of_tasks || has_sensors) self->delayed_send(self, to_chrono(usage_wait), Beat{});
    self->delayed_send(self, to_chrono(period), Wake{++generation});
  }

  void tell_load() { self->send(context->agent, LoadMeasured{context->setup.launcher->load()}); }

  void tell_answers() {
    if (has_sensors) tell_load();
    if (of_tasks) tell_usage();
  }

  // Nothing is said again and again of a host where nothing runs.
  void tell_usage() {
    session::TaskUses uses{context->setup.launcher->usages()};
    const bool any = !uses.tasks.empty();
    if (any || told_any) self->send(context->agent, UsageMeasured{std::move(uses)});
    told_any = any;
  }

  SensorActor::pointer self;
  std::shared_ptr<const AgentContext> context;
  Duration period{40};
  std::int64_t generation = 0, measured = 0;
  bool of_tasks = false, has_sensors = false, told_any = false;
};

SensorActor::behavior_type sensor(Watched<SensorActor, SensorState> self,
                                  std::shared_ptr<const AgentContext> context) {
  end_process_on_exception(self, "sensor");
  enlist(self, context->setup.directory, "sensor", "");
  self->state.context = std::move(context);
  return {
      [self](const Measure& measure) { self->state.begin(measure); },
      [self](const Wake& wake) {
        if (wake.generation == self->state.generation) self->state.measure();
      },
      [self](const Beat&) { self->state.tell_answers(); },
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
