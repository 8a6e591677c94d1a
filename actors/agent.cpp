#include "actors/agent.hpp"

#include "actors/inspection.hpp"
#include "actors/session/session.hpp"
#include "actors/support.hpp"
#include "actors/trust/order.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

namespace {

constexpr std::int64_t retry_after_ms = 200;
constexpr std::int64_t part_patience =
    10; // seconds that a peer's start waits for the part to be spooled here

// Where the output and the end of a qrsh -inherit process go: to a local client or to a peer.
struct Call {
  std::int64_t connection = 0;
  caf::strong_actor_ptr keeper;   // local
  std::uint64_t peer_session = 0; // or a peer,
  std::int64_t peer_call = 0;     // under its own number
  Attempt attempt;
};

struct Peer {
  SessionActor session;
  bool open = false;
  std::vector<session::Message> waiting;
};

struct AgentState {
  static inline const char* name = "agent";
  explicit AgentState(AgentActor::pointer self) : self(self) {}

  void begin(AgentSetup given) {
    setup = std::move(given);
    enlist(self, setup.directory, "agent", setup.identity->name);
    const AgentActor me(self);
    for (auto& report :
         setup.launcher->adopt({[me](session::TaskReport report) {
                                  caf::anon_send(me, LauncherSaid{std::move(report)});
                                },
                                [me](std::int64_t call, std::string content, bool error) {
                                  caf::anon_send(me, CallOutput{call, std::move(content), error});
                                },
                                [me](std::int64_t call, ExitRecord record) {
                                  caf::anon_send(me, CallEnded{call, std::move(record)});
                                }}))
      tasks[report.attempt] = report;
    spdlog::info("agent adopts tasks={}", tasks.size());
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
    setup.link->connect(setup.master_address, master);
  }

  void session_up(const SessionUp& up) {
    if (up.id == master_id) return;
    for (auto& [host, peer] : peers) {
      if (peer.session.id() != up.id) continue;
      peer.open = true;
      for (auto& message : peer.waiting) caf::anon_send(peer.session, Say{std::move(message)});
      peer.waiting.clear();
      return;
    }
    guests[up.id] = up.session;
  }

  void session_down(const SessionDown& down) {
    if (down.id == master_id) {
      if (down.reason != last_reason)
        spdlog::warn("agent has no session with the master: {}", down.reason);
      last_reason = down.reason;
      registered = false;
      relayed_lost();
      const auto jitter = static_cast<std::int64_t>(static_cast<unsigned char>(setup.random(1)[0]));
      self->delayed_send(self, std::chrono::milliseconds(250 + jitter), Wake{});
      return;
    }
    guests.erase(down.id);
    for (auto it = peers.begin(); it != peers.end(); ++it) {
      if (it->second.session.id() != down.id) continue;
      spdlog::warn("peer lost host={} reason={}", it->first, down.reason);
      peer_lost(it->first, down.reason);
      peers.erase(it);
      return;
    }
  }

  void say(session::Message message) { caf::anon_send(master, Say{std::move(message)}); }

  void hear(const SessionSaid& said) {
    if (!said.message) return;
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
      spdlog::error("the master has an older term than before: {} < {}", welcome.term, term);
      return;
    }
    store_id = welcome.store_id, term = welcome.term;
    last_reason.clear();
    session::Register list{setup.launcher->facts(), {}};
    for (const auto& [attempt, report] : tasks) list.tasks.push_back(report);
    changed_since_list.clear();
    say(std::move(list));
  }

  void from_master(const session::Registered& settings) {
    if (!registered) spdlog::info("agent registered term={} tasks={}", term, tasks.size());
    registered = true;
    // What happened between the list and the master's verdicts is news.
    for (const auto& attempt : changed_since_list)
      if (const auto it = tasks.find(attempt); it != tasks.end()) say(it->second);
    changed_since_list.clear();
    load_report_time = settings.load_report_time;
    report_load();
  }

  void from_master(const session::Launch& order) {
    if (const auto known = tasks.find(order.attempt); known != tasks.end())
      return say(known->second);
    session::TaskReport report{
        order.attempt, session::TaskPhase::spooled, false, false, store_id, term, {}};
    if (auto sound = check_order(*setup.identity, order, setup.clock->now()); !sound) {
      spdlog::error("order refused job={} reason={}", order.job.number, sound.what());
      report.phase = session::TaskPhase::ended;
      report.record.failed = failed::before_job, report.record.reason = sound.what();
      tasks[order.attempt] = report;
      return say(report);
    }
    tasks[order.attempt] = report;
    setup.launcher->launch(order);
  }

  void from_master(const session::Control& control) {
    if (tasks.contains(control.attempt)) setup.launcher->control(control.attempt, control.action);
  }

  void from_master(const session::Forget& forget) {
    crash_point("acknowledged");
    tasks.erase(forget.attempt);
    setup.launcher->forget(forget.attempt);
  }

  void from_master(const session::RelayAnswer& answer) {
    const auto it = relayed.find(answer.connection);
    if (it == relayed.end()) return;
    const auto reply = decode<door::Reply>(answer.frame.content);
    const bool last = !reply || reply->done;
    self->send(caf::actor_cast<DoorKeeperActor>(it->second),
               DoorReply{answer.connection, answer.frame.content, last});
    if (last) relayed.erase(it);
  }

  // ---- what the launcher says -----------------------------------------------------------------

  void launcher_said(const LauncherSaid& said) {
    const auto it = tasks.find(said.report.attempt);
    if (it == tasks.end()) return;
    it->second = said.report;
    if (registered) say(said.report);
    else changed_since_list.insert(said.report.attempt);
    if (said.report.phase == session::TaskPhase::ended) clear_parts(said.report.attempt);
    else retry_waiting_starts();
  }

  // The end of the job's script ends its parts, with the master down as well.
  void clear_parts(const Attempt& attempt) {
    const auto order = setup.launcher->order_of(attempt);
    if (!order || order->parts.front().host != setup.identity->name) return;
    for (const auto& part : order->parts)
      if (part.host != setup.identity->name)
        tell_peer(part.host, part.address,
                  session::PeerClear{attempt, order->credential, order->signature});
  }

  void report_load() {
    if (!registered || load_timer) return;
    say(setup.launcher->load());
    load_timer = true;
    self->delayed_send(self, to_chrono(load_report_time), Beat{});
  }

  // ---- peers ----------------------------------------------------------------------------------

  void tell_peer(const std::string& host, const std::string& address, session::Message message) {
    auto it = peers.find(host);
    if (it == peers.end()) {
      SessionSetup session;
      session.identity = setup.identity, session.random = setup.random,
      session.directory = setup.directory;
      session.owner = AgentActor(self);
      session.expected_role = session::Role::agent, session.expected_name = host;
      it = peers.emplace(host, Peer{spawn_session(self->system(), std::move(session)), false, {}})
               .first;
      setup.link->connect(address, it->second.session);
    }
    if (it->second.open) caf::anon_send(it->second.session, Say{std::move(message)});
    else it->second.waiting.push_back(std::move(message));
  }

  void peer_lost(const std::string& host, const std::string& reason) {
    std::vector<std::int64_t> ended;
    for (const auto& [number, call] : calls_away)
      if (call.first == host) ended.push_back(number);
    for (const auto number : ended)
      finish_call(number,
                  {failed::lost, 1, "host " + host + ": " + reason, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  }

  template <class T> void from_peer(std::uint64_t, const T&) {}

  void from_peer(std::uint64_t session, const session::PeerStart& start) {
    auto credential =
        check_credential(*setup.identity, start.credential, start.signature, setup.clock->now());
    if (!credential || credential->attempt != start.attempt) {
      const auto reason = credential ? "the credential is for another attempt" : credential.what();
      spdlog::error("peer's order refused reason={}", reason);
      return tell_guest(
          session, session::PeerEnded{
                       start.call, {failed::before_job, 1, reason, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}});
    }
    waiting_starts.push_back({session, start, setup.clock->now() + Duration{part_patience}});
    retry_waiting_starts();
  }

  // The part may be spooled a moment after the first host has begun.
  void retry_waiting_starts() {
    const auto now = setup.clock->now();
    std::erase_if(waiting_starts, [&](const WaitingStart& waiting) {
      if (setup.launcher->order_of(waiting.start.attempt)) {
        const auto call = ++last_call;
        calls[call] = {0, nullptr, waiting.session, waiting.start.call, waiting.start.attempt};
        setup.launcher->start_inherited(
            waiting.start.attempt,
            {call, waiting.start.command, waiting.start.environment, waiting.start.directory});
        return true;
      }
      if (now < waiting.until) return false;
      tell_guest(waiting.session,
                 session::PeerEnded{waiting.start.call,
                                    {failed::before_job, 1,
                                     "the job has no part on " + setup.identity->name, 0, 0, 0, 0,
                                     0, 0, 0, 0, 0, 0}});
      return true;
    });
    if (!waiting_starts.empty()) self->delayed_send(self, std::chrono::milliseconds(200), Wake{1});
  }

  void from_peer(std::uint64_t, const session::PeerOutput& output) {
    call_output({output.call, output.content.content, output.error});
  }
  void from_peer(std::uint64_t, const session::PeerEnded& ended) {
    finish_call(ended.call, ended.record);
  }

  void from_peer(std::uint64_t, const session::PeerClear& clear) {
    auto credential =
        check_credential(*setup.identity, clear.credential, clear.signature, setup.clock->now());
    if (credential && credential->attempt == clear.attempt && tasks.contains(clear.attempt))
      setup.launcher->control(clear.attempt, session::TaskAction::kill);
  }

  void tell_guest(std::uint64_t session, session::Message message) {
    if (const auto it = guests.find(session); it != guests.end())
      caf::anon_send(caf::actor_cast<SessionActor>(it->second), Say{std::move(message)});
  }

  // ---- the local door -------------------------------------------------------------------------

  void enter(const DoorFrame& frame) {
    auto request = decode<door::Request>(frame.content);
    const auto keeper = self->current_sender();
    if (request) {
      if (const auto* inherit = std::get_if<door::Inherit>(&request->body))
        return serve_inherit(frame, *inherit, keeper);
    }
    if (!registered) return reply(keeper, frame.connection, door::Busy{retry_after_ms});
    relayed[frame.connection] = keeper;
    auto caller = frame.caller;
    caller.host = setup.identity->name;
    say(session::Relay{frame.connection, caller, {frame.content}});
  }

  void reply(const caf::strong_actor_ptr& keeper, std::int64_t connection, door::ReplyBody body,
             bool last = true) {
    self->send(caf::actor_cast<DoorKeeperActor>(keeper),
               DoorReply{connection, encode(door::Reply{last, std::move(body)}), last});
  }

  // Whoever waits for a relayed answer asks again with the same id.
  void relayed_lost() {
    for (const auto& [connection, keeper] : relayed)
      reply(keeper, connection, door::Busy{retry_after_ms});
    relayed.clear();
  }

  void serve_inherit(const DoorFrame& frame, const door::Inherit& request,
                     const caf::strong_actor_ptr& keeper) {
    const auto refuse = [&](const std::string& why) {
      reply(keeper, frame.connection, Answer::refusal(why));
    };
    for (const auto& attempt : setup.launcher->attempts_of(request.job)) {
      const auto order = setup.launcher->order_of(attempt);
      if (!order || attempt.task != request.task ||
          (order->job.owner.uid != frame.caller.uid && frame.caller.uid != 0))
        continue;
      if (!order->control_slaves)
        return refuse(
            "the parallel environment has control_slaves FALSE: no tasks are started in it");
      const auto part = std::find_if(order->parts.begin(), order->parts.end(),
                                     [&](auto& p) { return p.host == request.host; });
      if (part == order->parts.end())
        return refuse("host \"" + request.host + "\" is not granted to job " +
                      std::to_string(request.job));
      const auto call = ++last_call;
      calls[call] = {frame.connection, keeper, 0, 0, attempt};
      if (part->host == setup.identity->name) {
        setup.launcher->start_inherited(
            attempt, {call, request.command, request.environment, request.directory});
      } else {
        calls_away[call] = {part->host, attempt};
        tell_peer(part->host, part->address,
                  session::PeerStart{call, attempt, request.command, request.environment,
                                     request.directory, order->credential, order->signature});
      }
      return;
    }
    refuse("job " + std::to_string(request.job) + " does not run on this host for you");
  }

  void call_output(const CallOutput& output) {
    const auto it = calls.find(output.call);
    if (it == calls.end()) return;
    const auto& call = it->second;
    if (call.keeper)
      reply(call.keeper, call.connection, door::Output{{output.content}, output.error}, false);
    else
      tell_guest(call.peer_session,
                 session::PeerOutput{call.peer_call, {output.content}, output.error});
  }

  void finish_call(std::int64_t number, const ExitRecord& record) {
    const auto it = calls.find(number);
    if (it == calls.end()) return;
    const auto call = it->second;
    calls.erase(it);
    calls_away.erase(number);
    if (!call.keeper)
      return tell_guest(call.peer_session, session::PeerEnded{call.peer_call, record});
    Answer answer{record.exit_status, 0, {}};
    if (record.failed != failed::none) {
      answer.lines.push_back({record.reason, true});
      if (answer.exit_code == 0) answer.exit_code = 1;
    }
    reply(call.keeper, call.connection, answer);
  }

  ActorState inspect(bool json) const {
    std::vector<session::TaskReport> reports;
    for (const auto& [attempt, report] : tasks) reports.push_back(report);
    if (json) return {show(reports, true)};
    return {"registered: " + std::string(registered ? "yes" : "no") +
            "\nterm: " + std::to_string(term) + "\ncalls: " + std::to_string(calls.size()) +
            "\npeers: " + std::to_string(peers.size()) +
            "\ntasks: " + std::to_string(tasks.size()) + "\n"};
  }

  struct WaitingStart {
    std::uint64_t session = 0;
    session::PeerStart start;
    Instant until;
  };

  AgentActor::pointer self;
  AgentSetup setup;
  SessionActor master;
  std::uint64_t master_id = 0;
  bool registered = false, load_timer = false;
  Duration load_report_time{40};
  std::string store_id, last_reason;
  std::int64_t term = 0;
  std::map<Attempt, session::TaskReport> tasks;
  std::set<Attempt> changed_since_list;
  std::map<std::int64_t, caf::strong_actor_ptr> relayed;
  std::map<std::string, Peer> peers;                     // sessions that begin here
  std::map<std::uint64_t, caf::strong_actor_ptr> guests; // sessions that other agents began
  std::map<std::int64_t, Call> calls;
  std::map<std::int64_t, std::pair<std::string, Attempt>> calls_away;
  std::vector<WaitingStart> waiting_starts;
  std::int64_t last_call = 0;
};

AgentActor::behavior_type agent(AgentActor::stateful_pointer<AgentState> self, AgentSetup setup) {
  end_process_on_exception(self, "agent");
  self->state.begin(std::move(setup));
  return {
      [self](const SessionUp& up) { self->state.session_up(up); },
      [self](const SessionSaid& said) { self->state.hear(said); },
      [self](const SessionDown& down) { self->state.session_down(down); },
      [self](const LauncherSaid& said) { self->state.launcher_said(said); },
      [self](const CallOutput& output) { self->state.call_output(output); },
      [self](const CallEnded& ended) { self->state.finish_call(ended.call, ended.record); },
      [self](const DoorFrame& frame) { self->state.enter(frame); },
      [self](const Beat&) {
        self->state.load_timer = false;
        self->state.report_load();
      },
      [self](const Wake& wake) {
        wake.generation == 0 ? self->state.connect() : self->state.retry_waiting_starts();
      },
      [self](const Inspect& inspect) { return self->state.inspect(inspect.json); },
  };
}

} // namespace

AgentActor spawn_agent(caf::actor_system& system, AgentSetup setup) {
  return system.spawn(agent, std::move(setup));
}

} // namespace almanac
