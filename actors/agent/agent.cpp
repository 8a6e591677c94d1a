#include "actors/agent/agent.hpp"

#include "core/answer/gridengine.hpp"
#include "actors/agent/agent_parts.hpp"
#include "actors/inspection.hpp"
#include "actors/session/session.hpp"
#include "actors/support.hpp"
#include "actors/trust/order.hpp"
#include "core/host/call_pause.hpp"
#include "core/request/valid_report.hpp"
#include "schema/codec.hpp"
#include "schema/door_objection.hpp"
#include "schema/warrant.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

namespace {

constexpr std::int64_t retry_after_ms = 200;
constexpr auto renewal_period = std::chrono::seconds(4);

struct AgentState {
  static inline const char* name = "agent";
  explicit AgentState(AgentActor::pointer self) : self(self) {}

  void begin(AgentSetup given) {
    setup = std::move(given);
    context = std::make_shared<AgentContext>(AgentContext{setup, AgentActor(self)});
    enlist(self, setup.directory, "agent", setup.identity->name);
    const AgentActor me(self);
    for (auto& report : setup.launcher->adopt(
             {[me](session::TaskReport report) {
                report.record = within_bounds(std::move(report.record));
                caf::anon_send(me, LauncherSaid{std::move(report)});
              },
              [me](std::int64_t call, std::string content, bool error) {
                caf::anon_send(me, CallOutput{call, std::move(content), error});
              },
              [me](std::int64_t call, ExitRecord record) {
                caf::anon_send(me, CallEnded{call, within_bounds(std::move(record))});
              },
              [me](std::int64_t call, std::int64_t bytes) {
                caf::anon_send(me, CallOutput{call, {}, false, bytes});
              }})) {
      report.record = within_bounds(std::move(report.record));
      tasks[report.attempt] = report;
    }
    for (const auto& [attempt, report] : tasks) task(attempt);
    sensor = spawn_sensor(self->system(), context);
    // None is used twice in the life of a task, which may be longer than that of this process.
    last_call = setup.launcher->lease_clock();
    spdlog::info("agent adopts tasks={}", tasks.size());
  }

  // The actor of an attempt: there is one for each task of the list, and for each that a peer
  // announces before the master does.
  const TaskActor& task(const Attempt& attempt) {
    auto it = task_actors.find(attempt);
    if (it == task_actors.end())
      it = task_actors.emplace(attempt, spawn_task(self->system(), context, attempt)).first;
    return it->second;
  }

  void drop_task(const Attempt& attempt) {
    const auto it = task_actors.find(attempt);
    if (it == task_actors.end()) return;
    self->send(it->second, TaskForgotten{});
    task_actors.erase(it);
    std::vector<std::int64_t> ended;
    for (const auto& [call, of] : calls)
      if (of == attempt) ended.push_back(call);
    for (const auto call : ended) forget_call(call);
  }

  const PeerActor& peer(const std::string& host) {
    auto it = peers.find(host);
    if (it == peers.end())
      it = peers.emplace(host, spawn_peer(self->system(), context, host)).first;
    return it->second;
  }

  // ---- the session with the master ------------------------------------------------------------

  void connect() {
    SessionSetup session;
    session.identity = setup.identity, session.random = setup.random,
    session.directory = setup.directory;
    session.owner = AgentActor(self);
    session.expected_role = session::Role::master;
    master = spawn_session(self->system(), std::move(session));
    master_id = master.id();
    setup.link->connect(setup.master_address, session::Role::master, master);
  }

  void session_up(const SessionUp& up) {
    if (up.id == master_id) return;
    guests[up.id] = {up.session, up.peer};
  }

  void session_down(const SessionDown& down) {
    if (down.id == master_id) {
      if (down.reason != last_reason)
        spdlog::warn("agent has no session with the master: {}", down.reason);
      last_reason = down.reason;
      registered = false;
      relayed_lost();
      call_again(down.refused);
      return;
    }
    const auto guest = guests.find(down.id);
    if (guest == guests.end()) return;
    spdlog::info("peer gone host={} reason={}", guest->second.host, down.reason);
    guests.erase(guest);
  }

  void call_again(bool refused) {
    const auto jitter = static_cast<std::int64_t>(static_cast<unsigned char>(setup.random(1)[0]));
    self->delayed_send(self, std::chrono::milliseconds(pause.after(refused) + jitter), Wake{});
  }

  void say(session::Message message) { caf::anon_send(master, Say{std::move(message)}); }

  void hear(const SessionSaid& said) {
    if (said.id == master_id)
      std::visit([this](const auto& message) { from_master(message); }, *said.message);
    else std::visit([&](const auto& message) { from_peer(said.id, message); }, *said.message);
  }

  // ---- what the master says -------------------------------------------------------------------

  template <class T> void from_master(const T&) {
    spdlog::warn("the master sent what an agent does not expect");
  }

  void from_master(const session::Welcome& welcome) {
    if (welcome.store_id == store_id && welcome.term < term) {
      spdlog::error("the master has an older term than before: {} < {}", welcome.term.value,
                    term.value);
      return;
    }
    store_id = welcome.store_id, term = welcome.term;
    last_reason.clear();
    session::Register list{setup.launcher->facts(), {}, {setup.launcher->nonce()}, warrant_version};
    for (const auto& [attempt, report] : tasks) list.tasks.push_back(report);
    changed_since_list.clear();
    registering_since = setup.launcher->lease_clock();
    say(std::move(list));
  }

  void from_master(const session::Registered& settings) {
    if (!registered) {
      spdlog::info("agent registered term={} tasks={}", term.value, tasks.size());
      setup.launcher->keep_lease(registering_since);
      if (!std::exchange(renewing, true)) self->delayed_send(self, renewal_period, Beat{});
    }
    registered = true;
    pause.reached();
    // What happened between the list and the master's verdicts is news.
    for (const auto& attempt : changed_since_list)
      if (const auto it = tasks.find(attempt); it != tasks.end()) say(it->second);
    changed_since_list.clear();
    if (setup.set_log_level) setup.set_log_level(settings.log_level);
    self->send(sensor, Measure{settings.load_report_time});
  }

  void from_master(const session::Renewed& lease) { setup.launcher->keep_lease(lease.asked); }

  void renew() {
    renewing = registered;
    if (!registered) return;
    ask_for_renewal();
    self->delayed_send(self, renewal_period, Beat{});
  }

  void ask_for_renewal() {
    say(session::Renew{setup.launcher->lease_clock(), {setup.launcher->nonce()}});
  }

  void from_master(const session::Launch& order) {
    if (const auto known = tasks.find(order.attempt); known != tasks.end())
      return say(known->second);
    session::TaskReport report{
        order.attempt, session::TaskPhase::spooled, false, false, store_id, term, {}};
    tasks[order.attempt] = report;
    task(order.attempt);
    setup.launcher->launch(order);
  }

  void from_master(const session::Control& control) {
    if (tasks.contains(control.attempt)) setup.launcher->control(control.attempt, control.action);
  }

  void from_master(const session::Forget& forget) {
    crash_point("acknowledged");
    tasks.erase(forget.attempt);
    drop_task(forget.attempt);
    setup.launcher->forget(forget.attempt);
  }

  void from_master(const session::RelayAnswer& answer) {
    const auto it = relayed.find(answer.connection);
    if (it == relayed.end()) return;
    const auto reply = decode<door::Reply>(answer.frame.content);
    const bool last = !reply || reply->done;
    self->send(caf::actor_cast<DoorKeeperActor>(it->second),
               DoorReply{answer.connection, answer.frame.content, last, nullptr});
    if (last) relayed.erase(it);
  }

  // ---- what the launcher says -----------------------------------------------------------------

  void launcher_said(const LauncherSaid& said) {
    const auto it = tasks.find(said.report.attempt);
    if (it == tasks.end()) return;
    it->second = said.report;
    // An order that came too late is given again at once: it has to name what counts now.
    if (registered && !said.report.began && said.report.record.failed == failed::rescheduled)
      ask_for_renewal();
    if (registered) say(said.report);
    else changed_since_list.insert(said.report.attempt);
    self->send(task(said.report.attempt), said);
  }

  void measured(const LoadMeasured& measured) {
    if (registered) say(measured.load);
  }

  // ---- peers ----------------------------------------------------------------------------------

  template <class T> void from_peer(std::uint64_t, const T&) {}

  void from_peer(std::uint64_t session, const session::PeerStart& start) {
    if (auto allowed = may_order(session, start); !allowed)
      return tell_guest(session, session::PeerEnded{start.call, not_started(allowed.what())});
    const auto call = ++last_call;
    calls[call] = start.attempt;
    guest_calls[{session, start.call}] = call;
    const auto guest = guests.find(session);
    self->send(task(start.attempt),
               CallHere{{call, start.command, start.environment, start.directory, start.input,
                         start.call, start.proof},
                        {nullptr, 0, guest == guests.end() ? nullptr : guest->second.session,
                         start.call}});
  }

  void from_peer(std::uint64_t session, const session::PeerInput& input) {
    if (const auto it = guest_calls.find({session, input.call}); it != guest_calls.end())
      to_caller(CallInput{it->second, input.content.content, input.end, input.taken});
  }

  void from_peer(std::uint64_t session, const session::PeerClear& clear) {
    if (may_order(session, clear))
      setup.launcher->control(clear.attempt, session::TaskAction::kill);
  }

  template <class Order> Outcome may_order(std::uint64_t session, const Order& order) const {
    const auto guest = guests.find(session);
    if (guest == guests.end()) return Error{"the session is not open"};
    const auto allowed = check_peer(*setup.identity, guest->second.host, order.attempt,
                                    order.credential, order.signature);
    if (!allowed)
      spdlog::error("an order of host {} is refused: {}", guest->second.host, allowed.what());
    else if (!tasks.contains(order.attempt)) // it may have ended meanwhile
      return Error{"task " + to_string(order.attempt.job) + "." +
                   std::to_string(order.attempt.task) + " is not here"};
    return allowed;
  }

  void tell_guest(std::uint64_t session, session::Message message) {
    if (const auto it = guests.find(session); it != guests.end())
      caf::anon_send(caf::actor_cast<SessionActor>(it->second.session), Say{std::move(message)});
  }

  // ---- the local door -------------------------------------------------------------------------

  void enter(const DoorFrame& frame) {
    auto request = decode<door::Request>(frame.content);
    const auto keeper = self->current_sender();
    if (request) {
      if (auto refusal = door::objection(request->body))
        return reply(keeper, frame.connection, gridengine::with_lines(std::move(*refusal)));
      if (const auto* inherit = std::get_if<door::Inherit>(&request->body))
        return serve_inherit(frame, request->id, *inherit, keeper);
      if (const auto* input = std::get_if<door::InheritInput>(&request->body))
        return serve_input(frame, *input, keeper);
    }
    if (!registered) return reply(keeper, frame.connection, door::Busy{retry_after_ms});
    relayed[frame.connection] = keeper;
    say(session::Relay{frame.connection, frame.caller, {frame.content}});
  }

  void reply(const caf::strong_actor_ptr& keeper, std::int64_t connection, door::ReplyBody body,
             bool last = true) {
    self->send(caf::actor_cast<DoorKeeperActor>(keeper),
               DoorReply{connection, encode(door::Reply{last, std::move(body)}), last, nullptr});
  }

  // Whoever waits for a relayed answer asks again with the same id.
  void relayed_lost() {
    for (const auto& [connection, keeper] : relayed)
      reply(keeper, connection, door::Busy{retry_after_ms});
    relayed.clear();
  }

  void serve_input(const DoorFrame& frame, const door::InheritInput& input,
                   const caf::strong_actor_ptr& keeper) {
    const auto it = inherit_requests.find({frame.caller.uid, input.request});
    if (it != inherit_requests.end())
      to_caller(CallInput{it->second, input.content.content, input.end, input.taken});
    if (input.taken > 0) return reply(keeper, frame.connection, Answer{});
    self->send(caf::actor_cast<DoorKeeperActor>(keeper),
               DoorReply{frame.connection, {}, true, nullptr});
  }

  void serve_inherit(const DoorFrame& frame, const std::string& id, const door::Inherit& request,
                     const caf::strong_actor_ptr& keeper) {
    for (const auto& attempt : setup.launcher->attempts_of({request.job})) {
      const auto order = setup.launcher->order_of(attempt);
      if (!order || attempt.task != request.task ||
          (order->job.owner.uid != frame.caller.uid && frame.caller.uid != 0))
        continue;
      const auto call = ++last_call;
      calls[call] = attempt;
      inherit_requests[{frame.caller.uid, id}] = call;
      return self->send(task(attempt),
                        CallInherit{call, request, {keeper, frame.connection, nullptr, 0}});
    }
    reply(keeper, frame.connection,
          gridengine::with_lines(Answer::refusal("job " + std::to_string(request.job) +
                                                 " is not a job of yours on this host")));
  }

  template <class Message> void to_caller(const Message& message) {
    if (const auto it = calls.find(message.call); it != calls.end())
      if (const auto found = task_actors.find(it->second); found != task_actors.end())
        self->send(found->second, message);
  }

  void call_ended(const CallEnded& ended) {
    to_caller(ended);
    forget_call(ended.call);
  }

  void forget_call(std::int64_t call) {
    calls.erase(call);
    const auto is_it = [call](const auto& entry) { return entry.second == call; };
    std::erase_if(inherit_requests, is_it);
    std::erase_if(guest_calls, is_it);
  }

  ActorState inspect(bool json) const {
    std::vector<session::TaskReport> reports;
    for (const auto& [attempt, report] : tasks) reports.push_back(report);
    if (json) return {show(reports, true)};
    return {"registered: " + std::string(registered ? "yes" : "no") + "\nterm: " + to_string(term) +
            "\ncalls: " + std::to_string(calls.size()) + "\npeers: " +
            std::to_string(peers.size()) + "\ntasks: " + std::to_string(tasks.size()) + "\n"};
  }

  AgentActor::pointer self;
  AgentSetup setup;
  std::shared_ptr<const AgentContext> context; ///< of the actors beside it
  SessionActor master;
  std::uint64_t master_id = 0;
  bool registered = false, renewing = false;
  std::int64_t registering_since = 0; ///< by the clock of the lease
  std::string store_id, last_reason;
  CallPause pause;
  Term term;
  std::map<Attempt, session::TaskReport> tasks;
  std::map<Attempt, TaskActor> task_actors;
  std::set<Attempt> changed_since_list;
  std::map<std::int64_t, caf::strong_actor_ptr> relayed;
  SensorActor sensor;
  std::map<std::string, PeerActor> peers;
  struct Guest {
    caf::strong_actor_ptr session;
    std::string host;
  };
  std::map<std::uint64_t, Guest> guests; // sessions that other agents began
  std::map<std::int64_t, Attempt> calls; // processes of qrsh -inherit
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> inherit_requests; // by uid and id
  std::map<std::pair<std::uint64_t, std::int64_t>, std::int64_t> guest_calls; // by session, number
  std::int64_t last_call = 0;
};

AgentActor::behavior_type agent(Watched<AgentActor, AgentState> self, AgentSetup setup) {
  end_process_on_exception(self, "agent");
  self->state.begin(std::move(setup));
  return {
      [self](const SessionUp& up) { self->state.session_up(up); },
      [self](const SessionSaid& said) { self->state.hear(said); },
      [self](const SessionDown& down) { self->state.session_down(down); },
      [self](const LauncherSaid& said) { self->state.launcher_said(said); },
      [self](const CallOutput& output) { self->state.to_caller(output); },
      [self](const CallEnded& ended) { self->state.call_ended(ended); },
      [self](const DoorFrame& frame) { self->state.enter(frame); },
      [](const CatchUp& question) { return question; },
      [self](const TaskIdle& idle) {
        if (!self->state.tasks.contains(idle.attempt)) self->state.drop_task(idle.attempt);
      },
      [self](ToPeer& to) {
        self->send(self->state.peer(to.host), TellPeer{to.address, std::move(to.message)});
      },
      [self](const WatchPart& part) { self->send(self->state.peer(part.host), part); },
      [self](const PartUnreachable& part) {
        if (self->state.registered) self->state.say(PartSilent{part.attempt, part.host});
      },
      [self](const LoadMeasured& measured) { self->state.measured(measured); },
      [self](const Wake&) { self->state.connect(); },
      [self](const Beat&) { self->state.renew(); },
      [self](const Inspect& inspect) { return self->state.inspect(inspect.json); },
  };
}

} // namespace

AgentActor spawn_agent(caf::actor_system& system, AgentSetup setup) {
  return system.spawn(agent, std::move(setup));
}

} // namespace almanac
