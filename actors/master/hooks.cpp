#include "actors/master/hooks.hpp"

#include "actors/inspection.hpp"
#include "actors/master/host_hooks.hpp"
#include "actors/master/waiting_hooks.hpp"
#include "core/text/words.hpp"
#include "schema/codec.hpp"

#include <caf/event_based_actor.hpp>

namespace almanac {

namespace {

HookRun run_of(const WaitingHooks::Run& run, std::vector<std::string> words) {
  return {std::move(words), hook_environment(run.call, run.attempt), show(run.call, true),
          run.call.timeout};
}

HookOutcome failure(const std::string& why) { return {why, "", ""}; }

struct HooksState {
  static inline const char* name = "hooks";
  explicit HooksState(HooksActor::pointer self) : self(self) {}

  void begin(HooksSetup given) {
    setup = std::move(given);
    enlist(self, setup.directory, "hooks", "");
    setup.store->scan(store::Family::hooks, [this](std::string_view, std::string_view value) {
      if (auto call = decode<HookCall>(value)) hooks.add_left(std::move(*call));
    });
  }

  void take(const Publish& news) {
    for (const auto& effects : *news.decided)
      for (const auto& effect : effects)
        if (const auto* call = std::get_if<HookCall>(&effect)) hooks.add(*call);
    go_round();
  }

  // Nobody is told how they end before there is a calendar.
  void go_round() {
    if (!calendar) return;
    while (const auto run = hooks.next()) {
      const auto sequence = run->call.sequence;
      spdlog::info("hook {} of reservation {} begins", attribute_of(run->call.event),
                   run->call.number.value);
      const auto command = hook_command(run->call);
      if (command.host.empty()) run_here(sequence, run_of(*run, command.words));
      else run_there(sequence, command, run_of(*run, command.words));
    }
  }

  void run_here(std::int64_t sequence, HookRun what) {
    auto* runner = setup.runner;
    if (setup.thread == Thread::own)
      self->system().spawn<caf::detached>(
          [runner, what = std::move(what), sequence, to = HooksActor(self)] {
            caf::anon_send(to, hook_ran(sequence, runner->run(what)));
          });
    else caf::anon_send(HooksActor(self), hook_ran(sequence, runner->run(what)));
  }

  // Its agent runs it, under the name that the master's accounts know by this uid.
  void run_there(std::int64_t sequence, const HookCommand& command, HookRun what) {
    const auto fails = [this, sequence](const std::string& why) {
      caf::anon_send(HooksActor(self), hook_ran(sequence, failure(why)));
    };
    const auto uid = setup.uid_of ? setup.uid_of(command.user) : std::nullopt;
    if (!uid) return fails("user \"" + command.user + "\" is not known on the master's host");
    const RunHook hook{sequence, command.user, *uid, std::move(what)};
    self->request(calendar, caf::infinite, GetHostActor{command.host})
        .then(
            [this, hook, fails](const caf::strong_actor_ptr& host) {
              self->request(caf::actor_cast<HostActor>(host), caf::infinite, hook)
                  .then([this](const HookRan& outcome) { end(outcome); },
                        [fails](const caf::error&) { fails("its host is no exec host any more"); });
            },
            [fails, host = command.host](const caf::error&) {
              fails("host " + host + " is not an exec host of this cell");
            });
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
