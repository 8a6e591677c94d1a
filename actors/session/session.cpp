#include "actors/session/session.hpp"

#include "actors/session/channel.hpp"
#include "actors/support.hpp"
#include "schema/codec.hpp"

namespace almanac {

namespace {

constexpr auto beat_period = std::chrono::seconds(2);
constexpr int silent_beats_allowed = 3;
constexpr int handshake_beats_allowed = 5;

// beginning --hello, challenge, proof, welcome--> open --silence, link down, refusal--> (ended)
struct SessionState {
  static inline const char* name = "session";
  explicit SessionState(SessionActor::pointer self) : self(self) {}

  void begin(SessionSetup given) {
    setup = std::move(given);
    handshake.emplace(*setup.identity, setup.random);
    if (setup.remote) reach(setup.remote);
    enlist(self, setup.directory, "session", setup.expected_name);
    last_heard = self->clock().now();
    self->delayed_send(self, beat_period, Beat{});
  }

  void reach(caf::strong_actor_ptr far) {
    remote = std::move(far);
    self->monitor(caf::actor_cast<caf::actor>(remote));
  }

  void link_up(const LinkUp& link) {
    reach(link.remote);
    say(handshake->begin(setup.expected_role, setup.expected_name));
  }

  void end(const std::string& reason) {
    if (ended) return;
    ended = true;
    if (setup.owner) caf::anon_send(setup.owner, SessionDown{self->id(), reason, silent()});
    self->quit();
  }

  void transmit(std::vector<Packet> packets) {
    if (!remote) return;
    const auto target = caf::actor_cast<ReceptionActor>(remote);
    for (auto& packet : packets) self->send(target, std::move(packet));
  }

  void say(session::Message message) {
    transmit(channel.say(encode(session::Envelope{std::move(message)})));
  }

  void hear(const Packet& packet) {
    // The acceptor answers from its own session, not from the reception that was addressed first.
    if (const auto& sender = self->current_sender(); sender && sender != remote) {
      if (settled) return; // a second session that a repeated first packet has made
      if (remote) self->demonitor(caf::actor_cast<caf::actor>(remote));
      reach(sender);
    }
    settled = true;
    silent_beats = 0, last_heard = self->clock().now();
    const auto contents = channel.hear(packet);
    transmit(channel.released());
    for (const auto& content : contents)
      if (!ended) take(content);
  }

  void take(const std::string& content) {
    auto envelope = decode<session::Envelope>(content);
    if (!envelope) {
      spdlog::warn("session with {} sent what can't be read: {}", handshake->peer_name(),
                   envelope.what());
      return end(envelope.what());
    }
    if (open)
      caf::anon_send(setup.owner, SessionSaid{self->id(), std::make_shared<const session::Message>(
                                                              std::move(envelope->body))});
    else shake(envelope->body);
  }

  void refuse(const std::string& reason) {
    spdlog::warn("session refused peer={} reason={}", handshake->peer_name(), reason);
    say(session::Refused{reason});
    refused =
        true; // the refusal needs a moment to leave; the deadline of the handshake ends the session
  }

  void shake(const session::Message& message) {
    if (ended || refused) return;
    if (const auto* hello = std::get_if<session::Hello>(&message)) {
      auto challenge = handshake->challenge(*hello);
      if (!challenge) return refuse(challenge.what());
      say(*challenge);
    } else if (const auto* challenge = std::get_if<session::Challenge>(&message)) {
      auto proof = handshake->answer(*challenge);
      if (!proof) return end(proof.what());
      say(*proof);
    } else if (const auto* proof = std::get_if<session::Proof>(&message)) {
      if (auto finished = handshake->finish(*proof); !finished) return refuse(finished.what());
      accept();
    } else if (std::get_if<session::Welcome>(&message)) {
      open_up();
      caf::anon_send(setup.owner,
                     SessionSaid{self->id(), std::make_shared<const session::Message>(message)});
    } else if (const auto* refused = std::get_if<session::Refused>(&message)) {
      end("refused: " + refused->reason);
    } else end("a message before the handshake was done");
  }

  void accept() {
    if (!setup.calendar) {
      say(setup.welcome);
      return open_up();
    }
    const auto peer = handshake->peer_name();
    self->request(setup.calendar, caf::infinite, GetHost{peer})
        .then(
            [this](const caf::strong_actor_ptr& host) {
              setup.owner = caf::actor_cast<SessionOwner>(host);
              say(setup.welcome);
              open_up();
            },
            [this, peer](const caf::error&) {
              refuse("host " + peer + " is not an exec host of this cell");
            });
  }

  void open_up() {
    open = true;
    caf::anon_send(setup.owner,
                   SessionUp{caf::actor_cast<caf::strong_actor_ptr>(self), self->id()});
  }

  static int seconds(int beats) { return beats * static_cast<int>(beat_period.count()); }

  // Beats alone are too coarse, and a clock alone goes on while this process is held up.
  int silent() const {
    const auto since = self->clock().now() - last_heard;
    return std::min(seconds(silent_beats),
                    static_cast<int>(std::chrono::floor<std::chrono::seconds>(since).count()));
  }

  void beat() {
    if (!open && ++shaking_beats > handshake_beats_allowed)
      return end("the handshake was not finished in " +
                 std::to_string(seconds(handshake_beats_allowed)) + " s");
    if (++silent_beats > silent_beats_allowed)
      return end("silent for " + std::to_string(seconds(silent_beats_allowed)) + " s");
    transmit(channel.beat());
    self->delayed_send(self, beat_period, Beat{});
  }

  ActorState inspect() const {
    return {"peer: " + (handshake ? handshake->peer_name() : "") +
            "\nopen: " + (open ? "yes" : "no") +
            "\nunacknowledged: " + std::to_string(channel.unacknowledged()) +
            "\nsilent_beats: " + std::to_string(silent_beats) + "\n"};
  }

  SessionActor::pointer self;
  SessionSetup setup;
  std::optional<Handshake> handshake;
  Channel channel;
  caf::strong_actor_ptr remote;
  bool settled = false, open = false, refused = false, ended = false;
  int silent_beats = 0, shaking_beats = 0;
  caf::actor_clock::time_point last_heard;
};

SessionActor::behavior_type session_actor(Watched<SessionActor, SessionState> self,
                                          SessionSetup setup) {
  end_process_on_exception(self, "session");
  self->set_down_handler([self](const caf::down_msg&) { self->state.end("the link is down"); });
  self->state.begin(std::move(setup));
  return {
      [self](const Packet& packet) { self->state.hear(packet); },
      [self](const LinkUp& link) { self->state.link_up(link); },
      [self](const LinkDown& link) { self->state.end(link.reason); },
      [self](const Say& say) { self->state.say(say.message); },
      [self](const Beat&) { self->state.beat(); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

struct ReceptionState {
  static inline const char* name = "reception";
};

ReceptionActor::behavior_type reception(Watched<ReceptionActor, ReceptionState> self,
                                        SessionSetup setup) {
  return {
      [self, setup](const Packet& packet) {
        auto own = setup;
        own.remote = self->current_sender();
        if (!own.remote || packet.sequence != 1) return; // only a beginning makes a session
        const auto session = spawn_session(self->system(), std::move(own));
        self->delegate(session, packet);
      },
  };
}

} // namespace

SessionActor spawn_session(caf::actor_system& system, SessionSetup setup) {
  return system.spawn(session_actor, std::move(setup));
}

ReceptionActor spawn_reception(caf::actor_system& system, SessionSetup setup) {
  return system.spawn(reception, std::move(setup));
}

} // namespace almanac
