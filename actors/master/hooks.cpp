#include "actors/master/hooks.hpp"

#include "actors/inspection.hpp"
#include "actors/master/waiting_hooks.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"
#include "schema/codec.hpp"

#include <caf/event_based_actor.hpp>

namespace almanac {

namespace {

HookRun run_of(const WaitingHooks::Run& run) {
  return {hook_words(run.call), hook_environment(run.call, run.attempt), show(run.call, true),
          run.call.timeout};
}

constexpr std::size_t longest_said = 200; // characters: people read it

HookRan ran(std::int64_t sequence, HookOutcome outcome) {
  const auto first = outcome.errors.substr(0, outcome.errors.find('\n'));
  return {sequence, std::move(outcome.failure), std::move(outcome.output),
          excerpt(first, longest_said)};
}

struct HooksState {
  static inline const char* name = "hooks";
  explicit HooksState(HooksActor::pointer self) : self(self) {}

  void begin(HooksSetup given) {
    setup = std::move(given);
    enlist(self, setup.directory, "hooks", "");
    setup.store->scan(store::Family::hooks, [this](std::string_view, std::string_view value) {
      if (auto call = decode<HookCall>(value)) hooks.add(std::move(*call), 2);
    });
  }

  void take(const Publish& news) {
    for (const auto& effects : *news.decided)
      for (const auto& effect : effects)
        if (const auto* call = std::get_if<HookCall>(&effect)) hooks.add(*call, 1);
    go_round();
  }

  // Nobody is told how they end before there is a calendar.
  void go_round() {
    if (!calendar) return;
    while (const auto run = hooks.next()) {
      const auto sequence = run->call.sequence;
      spdlog::info("hook {} of reservation {} begins", attribute_of(run->call.event),
                   run->call.number.value);
      auto* runner = setup.runner;
      if (setup.thread == Thread::own)
        self->system().spawn<caf::detached>(
            [runner, what = run_of(*run), sequence, to = HooksActor(self)] {
              caf::anon_send(to, ran(sequence, runner->run(what)));
            });
      else caf::anon_send(HooksActor(self), ran(sequence, runner->run(run_of(*run))));
    }
  }

  // Told first, taken out of the store then: what is lost in between is run again.
  void end(const HookRan& outcome) {
    const auto call = hooks.ended(outcome.sequence);
    if (!call) return;
    report(*call, outcome);
    caf::anon_send(calendar, Tell{HookEnded{call->reservation, call->event, outcome.failure,
                                            outcome.sequence, outcome.said}});
    caf::anon_send(setup.journal,
                   CommitBatch{std::make_shared<const std::vector<store::Write>>(
                       1, store::Write{store::Family::hooks, store::number_key(outcome.sequence),
                                       std::nullopt})});
    go_round();
  }

  static void report(const HookCall& call, const HookRan& outcome) {
    const auto hook = attribute_of(call.event);
    for (const auto& line : split(outcome.output, '\n'))
      if (!line.empty())
        spdlog::info("hook {} of reservation {}: {}", hook, call.number.value, line);
    if (outcome.failure.empty())
      spdlog::info("hook {} of reservation {} has ended", hook, call.number.value);
    else
      spdlog::warn("hook {} of reservation {} failed: {}", hook, call.number.value,
                   outcome.failure);
  }

  HooksActor::pointer self;
  HooksSetup setup;
  WaitingHooks hooks;
  CalendarActor calendar;
};

HooksActor::behavior_type hooks(Watched<HooksActor, HooksState> self,
                                std::shared_ptr<HooksSetup> setup) {
  end_process_on_exception(self, "hooks");
  self->state.begin(std::move(*setup));
  return {
      [self](const Publish& news) { self->state.take(news); },
      [self](const MeetCalendar& meet) {
        self->state.calendar = caf::actor_cast<CalendarActor>(meet.calendar);
        self->state.go_round();
      },
      [self](const HookRan& outcome) { self->state.end(outcome); },
      [self](const Inspect&) {
        const auto& hooks = self->state.hooks;
        return ActorState{"running: " + std::to_string(hooks.running()) +
                          "\nwaiting: " + std::to_string(hooks.waiting()) + "\n"};
      },
  };
}

} // namespace

HooksActor spawn_hooks(caf::actor_system& system, HooksSetup setup) {
  return system.spawn(hooks, std::make_shared<HooksSetup>(std::move(setup)));
}

} // namespace almanac
