#include "actors/agent/agent.hpp"

#include "actors/agent/agent_parts.hpp"
#include "actors/agent/call_numbers.hpp"
#include "actors/agent/client_calls.hpp"
#include "actors/agent/guests.hpp"
#include "actors/agent/launcher_events.hpp"
#include "actors/agent/local_door.hpp"
#include "actors/agent/master_session.hpp"
#include "actors/agent/task_ends.hpp"
#include "actors/inspection.hpp"
#include "actors/session/session.hpp"
#include "actors/support.hpp"
#include "core/request/valid_report.hpp"

#include <optional>
#include <utility>

namespace almanac {

namespace {

constexpr auto renewal_period = std::chrono::seconds(4);
constexpr std::int64_t reconnect = 0; // the generation of a Wake; others are of ends that are held

void carry_out(Launcher& launcher, const session::Control& control) {
  if (control.action != session::TaskAction::prolong)
    return launcher.control(control.attempt, control.action);
  launcher.prolong(control.attempt, control.warrant, control.warrant_signature);
}

struct AgentState {
  static inline const char* name = "agent";
  explicit AgentState(AgentActor::pointer self) : self(self) {}

  void begin(AgentSetup given) {
    setup = std::move(given);
    const AgentContext context{setup, AgentActor(self)};
    parts.emplace(self->system(), context), clients.emplace(context, *parts, calls);
    enlist(self, setup.directory, "agent", setup.identity->name);
    master.emplace(*setup.launcher), ends.emplace(*setup.launcher, *master, calls);
    auto& tasks = master->tasks();
    for (auto& report : setup.launcher->adopt(events_for(AgentActor(self)))) {
      report.record = within_bounds(std::move(report.record));
      tasks.adopt(report);
    }
    for (const auto& report : tasks.all()) parts->task(report.attempt);
    parts->sensor(), calls.begin_after(setup.launcher->lease_clock());
    spdlog::info("agent adopts tasks={}", tasks.size());
  }

  void drop_task(const Attempt& attempt) {
    const auto task = parts->take_task(attempt);
    if (!task) return;
    self->send(task, TaskForgotten{});
    calls.forget(attempt), ends->forget(attempt);
  }

  void launcher_said(const LauncherSaid& said) {
    if (!is_here(said.report.attempt)) return;
    if (const auto held = ends->take(said.report))
      self->delayed_send(self, TaskEnds::patience, Wake{held});
    self->send(parts->task(said.report.attempt), said);
  }

  void call_ended(const CallEnded& ended) {
    const auto attempt = calls.attempt_of(ended.call);
    clients->take(ended);
    if (attempt) ends->process_ended(*attempt);
  }

  // ---- the session with the master ------------------------------------------------------------

  void connect() {
    const auto session = spawn_session(
        self->system(), calling_session(setup, AgentActor(self), session::Role::master));
    master->begin(session);
    setup.link->connect(setup.master_address, session::Role::master, session);
  }

  void session_up(const SessionUp& up) {
    guests.add(up); // the master, too: it has hooks run
  }

  void session_down(const SessionDown& down) {
    if (!master->is(down.id)) return guest_gone(down);
    const auto pause_ms = master->lost(down);
    door.master_lost(), guests.forget(down.id);
    const auto jitter = static_cast<std::int64_t>(static_cast<unsigned char>(setup.random(1)[0]));
    self->delayed_send(self, std::chrono::milliseconds(pause_ms + jitter), Wake{reconnect});
  }

  void guest_gone(const SessionDown& down) {
    guests.remove(down);
    for (const auto call : calls.of_guest(down.id)) to_task(CallHungUp{call});
  }

  void hear(const SessionSaid& said) {
    if (master->is(said.id))
      std::visit([this](const auto& message) { from_master(message); }, *said.message);
    else std::visit([&](const auto& message) { from_peer(said.id, message); }, *said.message);
  }

  void beat_later() { self->delayed_send(self, renewal_period, Beat{}); }

  // ---- what the master says -------------------------------------------------------------------

  template <class T> void from_master(const T&) {
    spdlog::warn("the master sent what an agent does not expect");
  }

  void from_master(const session::Welcome& welcome) { master->hear(welcome); }

  void from_master(const session::Registered& settings) {
    if (master->hear(settings)) beat_later();
    if (setup.set_log_level) setup.set_log_level(settings.log_level);
    self->send(parts->sensor(), Measure{settings.load_report_time, settings.takes_usage,
                                        settings.sensors, settings.sensors_signature});
  }

  void from_master(const session::Renewed& lease) { master->hear(lease); }

  void from_master(const session::Launch& order) {
    if (const auto* known = master->tasks().find(order.attempt)) return master->tell(*known);
    master->tasks().begin(order.attempt);
    parts->task(order.attempt);
    setup.launcher->launch(order);
  }

  void from_master(const session::Control& control) {
    if (is_here(control.attempt)) carry_out(*setup.launcher, control);
  }

  void from_master(const session::Forget& forget) {
    crash_point("acknowledged");
    master->tasks().forget(forget.attempt);
    drop_task(forget.attempt);
    setup.launcher->forget(forget.attempt);
  }

  void from_master(const session::PeerStart& start) { from_peer(master->id(), start); }
  void from_master(const session::PeerInput& input) { from_peer(master->id(), input); }

  void from_master(const session::RelayAnswer& answer) { door.answered(answer); }

  void from_master(const session::CommonFiles& list) { parts->tell_copies(list); }
  void from_master(const session::CommonFile& file) { parts->tell_copies(file); }

  // ---- peers ----------------------------------------------------------------------------------

  template <class T> void from_peer(std::uint64_t, const T&) {}

  void from_peer(std::uint64_t session, const session::PeerStart& start) {
    if (auto allowed = may_order(session, start); !allowed)
      return guests.tell(session, session::PeerEnded{start.call, not_started(allowed.what())});
    const auto call = calls.add_of_guest(start.attempt, session, start.call);
    self->send(parts->task(start.attempt), guests.call_here(session, call, start));
  }

  void from_peer(std::uint64_t session, const session::PeerInput& input) {
    const auto call = calls.find_of_guest(session, input.call);
    if (!call) return;
    if (input.hang_up) return to_task(CallHungUp{*call});
    to_task(CallInput{
        *call, input.content.content, input.end, input.taken, {input.rows, input.columns}});
  }

  // It may come before the master's order does: the task waits a moment for that.
  void from_peer(std::uint64_t session, const session::PeerAttach& attach) {
    if (auto allowed = guests.may_attach(*setup.identity, session, attach); !allowed)
      return guests.tell(session, session::PeerEnded{attach.call, not_started(allowed.what())});
    const auto call = calls.add_of_guest(attach.attempt, session, attach.call);
    self->send(parts->task(attach.attempt), guests.attach_here(session, call, attach));
  }

  void from_peer(std::uint64_t session, const session::PeerClear& clear) {
    if (may_order(session, clear))
      setup.launcher->control(clear.attempt, session::TaskAction::kill);
  }

  template <class Order> Outcome may_order(std::uint64_t session, const Order& order) const {
    auto allowed =
        master->is(session) ? Outcome(Done{}) : guests.may_order(*setup.identity, session, order);
    if (allowed && !is_here(order.attempt)) // it may have ended meanwhile
      return Error{"task " + to_string(order.attempt.job) + "." +
                   std::to_string(order.attempt.task) + " is not here"};
    return allowed;
  }

  // ---- the local door -------------------------------------------------------------------------

  void enter(const DoorFrame& frame) {
    const auto keeper = self->current_sender();
    auto asked = door.take(frame, keeper, master->is_registered());
    if (auto* relay = std::get_if<session::Relay>(&asked)) master->tell(std::move(*relay));
    else if (const auto* inherit = std::get_if<LocalDoor::Inherit>(&asked))
      clients->serve(frame, *inherit, keeper);
    else if (const auto* input = std::get_if<door::InheritInput>(&asked))
      clients->serve(frame, *input, keeper);
    else if (const auto* attach = std::get_if<LocalDoor::Attach>(&asked))
      clients->serve(frame, *attach, keeper);
  }

  // ---------------------------------------------------------------------------------------------

  // To whoever has the call on this host.
  template <class Message> void to_task(const Message& message) {
    tell_task(calls, *parts, message);
  }

  ActorState inspect(bool json) const {
    const auto& tasks = master->tasks();
    if (json) return {show(tasks.all(), true)};
    return {"registered: " + std::string(tasks.is_registered() ? "yes" : "no") +
            "\nterm: " + to_string(tasks.term()) + "\ncalls: " + std::to_string(calls.size()) +
            "\nclients: " + std::to_string(clients->size()) + "\npeers: " +
            std::to_string(parts->peers()) + "\ntasks: " + std::to_string(tasks.size()) + "\n"};
  }

  bool is_here(const Attempt& attempt) const { return master->tasks().contains(attempt); }

  AgentActor::pointer self;
  AgentSetup setup;
  std::optional<AgentParts> parts;     ///< once it has begun,
  std::optional<MasterSession> master; ///< as this,
  std::optional<TaskEnds> ends;        ///< and this
  LocalDoor door;
  Guests guests;
  CallNumbers calls; ///< processes of qrsh -inherit, and interactive jobs with their clients
  std::optional<ClientCalls> clients; ///< once it has begun: those at the door
};

AgentActor::behavior_type agent(Watched<AgentActor, AgentState> self, AgentSetup setup) {
  end_process_on_exception(self, "agent");
  self->state.begin(std::move(setup));
  return {
      [self](const SessionUp& up) { self->state.session_up(up); },
      [self](const SessionSaid& said) { self->state.hear(said); },
      [self](const SessionDown& down) { self->state.session_down(down); },
      [self](const LauncherSaid& said) { self->state.launcher_said(said); },
      [self](const CallOutput& output) { self->state.clients->take(output); },
      [self](const CallEnded& ended) { self->state.call_ended(ended); },
      [self](const DoorFrame& frame) { self->state.enter(frame); },
      [](const CatchUp& question) { return question; },
      [self](const ReaderGone& gone) { self->state.clients->client_gone(gone); },
      [self](const TaskIdle& idle) {
        if (!self->state.is_here(idle.attempt)) self->state.drop_task(idle.attempt);
      },
      [self](ToPeer& to) {
        self->send(self->state.parts->peer(to.host), TellPeer{to.address, std::move(to.message)});
      },
      [self](const WatchPart& part) { self->send(self->state.parts->peer(part.host), part); },
      [self](const PartUnreachable& part) {
        self->state.master->tell(PartSilent{part.attempt, part.host});
      },
      [self](const LoadMeasured& measured) { self->state.master->tell(measured.load); },
      [self](const UsageMeasured& measured) { self->state.master->tell(measured.uses); },
      [self](const WantCommonFile& want) {
        self->state.master->tell(session::GetCommonFile{want.name});
      },
      [self](const Wake& wake) {
        if (wake.generation == reconnect) self->state.connect();
        else self->state.ends->give_up(wake.generation);
      },
      [self](const Beat&) {
        if (self->state.master->beat()) self->state.beat_later();
      },
      [self](const Inspect& inspect) { return self->state.inspect(inspect.json); },
  };
}

} // namespace

AgentActor spawn_agent(caf::actor_system& system, AgentSetup setup) {
  return system.spawn(agent, std::move(setup));
}

} // namespace almanac
