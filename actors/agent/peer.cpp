#include "actors/agent/agent_parts.hpp"
#include "actors/session/session.hpp"
#include "actors/support.hpp"

#include <set>

namespace almanac {

namespace {

constexpr auto reconnect_period = std::chrono::seconds(2);
constexpr auto idle_period = std::chrono::seconds(30);
constexpr std::int64_t reconnect = 0; // the generation of a Wake; others are ids of sessions

// closed --something to say or to watch--> connecting --SessionUp--> open
//    ^--------------SessionDown, nothing to say or to watch any more-'
struct PeerState {
  static inline const char* name = "peer";
  explicit PeerState(PeerActor::pointer self) : self(self) {}

  void tell(const std::string& where, session::Message message) {
    address = where, used = true;
    if (const auto* start = std::get_if<session::PeerStart>(&message)) calls.insert(start->call);
    if (const auto* attach = std::get_if<session::PeerAttach>(&message)) calls.insert(attach->call);
    if (open) return caf::anon_send(session, Say{std::move(message)});
    waiting.push_back(std::move(message));
    connect();
  }

  void watch(const WatchPart& part) {
    if (!part.watch) {
      watched.erase(part.attempt);
      return;
    }
    address = part.address;
    watched.insert(part.attempt);
    connect();
  }

  void connect() {
    if (open || session) return;
    auto wanted = calling_session(context->setup, PeerActor(self), session::Role::agent);
    wanted.expected_name = host;
    session = spawn_session(self->system(), std::move(wanted));
    context->setup.link->connect(address, session::Role::agent, session);
  }

  void session_up(const SessionUp& up) {
    if (!session || up.id != session.id()) return;
    open = true;
    for (auto& message : waiting) caf::anon_send(session, Say{std::move(message)});
    waiting.clear();
    look_again_when_idle();
  }

  void look_again_when_idle() {
    used = false;
    self->delayed_send(self, idle_period, Wake{static_cast<std::int64_t>(session.id())});
  }

  // Agents that have nothing to do with each other any more need no session: hosts would keep each
  // other busy with heartbeats, every one with all those it ever met.
  void rest() {
    if (used || !calls.empty() || !watched.empty()) return look_again_when_idle();
    caf::anon_send_exit(session, caf::exit_reason::user_shutdown);
    session = nullptr, open = false;
  }

  void hear(const SessionSaid& said) {
    if (!session || said.id != session.id()) return;
    used = true;
    if (const auto* output = std::get_if<session::PeerOutput>(said.message.get())) {
      if (calls.contains(output->call))
        self->send(context->agent,
                   CallOutput{output->call, output->content.content, output->error, output->room});
    } else if (const auto* ended = std::get_if<session::PeerEnded>(said.message.get())) {
      if (calls.erase(ended->call) > 0)
        self->send(context->agent, CallEnded{ended->call, ended->record});
    }
  }

  // Nobody knows what became of the processes there: who waits for them is told.
  void session_down(const SessionDown& down) {
    if (!session || down.id != session.id()) return;
    if (down.reason != last_reason) spdlog::warn("peer lost host={} reason={}", host, down.reason);
    last_reason = down.reason;
    session = nullptr, open = false;
    waiting.clear();
    for (const auto call : calls) {
      ExitRecord record;
      record.failed = failed::lost, record.exit_status = 1;
      record.reason = "host " + host + ": " + down.reason;
      self->send(context->agent, CallEnded{call, record});
    }
    calls.clear();
    for (const auto& attempt : watched) self->send(context->agent, PartUnreachable{attempt, host});
    if (!watched.empty()) self->delayed_send(self, reconnect_period, Wake{reconnect});
  }

  void wake(std::int64_t generation) {
    if (generation == reconnect && !watched.empty()) connect();
    else if (open && generation == static_cast<std::int64_t>(session.id())) rest();
  }

  ActorState inspect() const {
    return {"address: " + address + "\nsession: " +
            (open      ? "open"
             : session ? "opening"
                       : "none") +
            "\ncalls: " + std::to_string(calls.size()) +
            "\nwatched: " + std::to_string(watched.size()) + "\n"};
  }

  PeerActor::pointer self;
  std::shared_ptr<const AgentContext> context;
  std::string host, address, last_reason;
  SessionActor session;
  bool open = false, used = false; ///< since the last look whether it is idle
  std::vector<session::Message> waiting;
  std::set<std::int64_t> calls;
  std::set<Attempt> watched;
};

PeerActor::behavior_type peer(Watched<PeerActor, PeerState> self,
                              std::shared_ptr<const AgentContext> context, std::string host) {
  end_process_on_exception(self, "peer");
  enlist(self, context->setup.directory, "peer", host);
  auto& state = self->state;
  state.context = std::move(context), state.host = std::move(host);
  return {
      [self](TellPeer& tell) { self->state.tell(tell.address, std::move(tell.message)); },
      [self](const WatchPart& part) { self->state.watch(part); },
      [self](const SessionUp& up) { self->state.session_up(up); },
      [self](const SessionSaid& said) { self->state.hear(said); },
      [self](const SessionDown& down) { self->state.session_down(down); },
      [self](const Wake& wake) { self->state.wake(wake.generation); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

PeerActor spawn_peer(caf::actor_system& system, std::shared_ptr<const AgentContext> context,
                     const std::string& host) {
  return system.spawn(peer, std::move(context), host);
}

} // namespace almanac
