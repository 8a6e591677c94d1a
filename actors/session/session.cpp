#include "actors/session/session.hpp"

#include "actors/audit.hpp"
#include "actors/session/channel.hpp"
#include "actors/session/conversation.hpp"
#include "actors/session/session_orders.hpp"
#include "actors/session/silence.hpp"
#include "actors/support.hpp"
#include "actors/warnings.hpp"
#include "schema/codec.hpp"

#include <optional>
#include <utility>

namespace almanac {

namespace {

// The stages are those of protocol.hpp; silence, a link that is down, a refusal and everything that
// the table does not allow end the session.
struct SessionState {
  static inline const char* name = "session";
  explicit SessionState(SessionActor::pointer self) : self(self) {}

  void begin(SessionSetup given) {
    setup = std::move(given);
    if (setup.remote) {
      conversation.emplace(Conversation::called(setup.identity->role));
      reach(setup.remote, setup.binding);
    } else conversation.emplace(Conversation::calling(setup.expected_role));
    enlist(self, setup.directory, "session", setup.expected_name);
    silence.heard(self->clock().now());
    self->delayed_send(self, Silence::beat_period, Beat{});
  }

  void reach(caf::strong_actor_ptr far, const std::string& binding) {
    remote = std::move(far);
    self->monitor(caf::actor_cast<caf::actor>(remote));
    handshake.emplace(*setup.identity, setup.random, binding);
  }

  void link_up(const LinkUp& link) {
    if (remote) return;
    reach(link.remote, link.binding);
    say(handshake->begin(setup.expected_role, setup.expected_name));
  }

  void end(const std::string& reason, bool refused = false) {
    if (ended) return;
    ended = true;
    if (setup.owner)
      caf::anon_send(setup.owner, SessionDown{self->id(), reason,
                                              silence.seconds(self->clock().now()), refused});
    self->quit();
  }

  void transmit(std::vector<Packet> packets) {
    if (!remote) return;
    const auto target = caf::actor_cast<WireActor>(remote);
    for (auto& packet : packets) self->send(target, std::move(packet));
  }

  void say(session::Message message) {
    if (is_order(message)) {
      auto order = orders.sign(message);
      if (!order) return; // not open yet: what is meant is said again after the registration
      message = std::move(*order);
    }
    const bool is_refusal = std::holds_alternative<session::Refused>(message);
    transmit(channel.say(encode(session::Envelope{std::move(message)})));
    if (is_refusal) { // needs a moment to leave: the deadline of the handshake ends the session
      conversation->refuse();
      orders.shut();
    }
    // What was said is told again in the next session, as after any other loss.
    if (const auto why = channel.overload()) distrust(*why);
  }

  caf::result<AwaitRoom> await_room() {
    auto promise = self->make_response_promise<AwaitRoom>();
    waiting_for_room.push_back(promise);
    offer_room();
    return promise;
  }

  void offer_room() {
    if (!channel.has_room()) return;
    for (auto& promise : std::exchange(waiting_for_room, {})) promise.deliver(AwaitRoom{});
  }

  void hear(const Packet& packet) {
    if (!remote || self->current_sender() != remote) {
      if (strangers++ == 0)
        spdlog::warn("session with {}: a packet that is not its peer's is refused", peer_name());
      return;
    }
    silence.heard(self->clock().now());
    const auto contents = channel.hear(packet);
    transmit(channel.released());
    offer_room();
    for (const auto& content : contents)
      if (!ended) read(content);
  }

  void read(const std::string& content) {
    auto envelope = decode<session::Envelope>(content);
    if (!envelope) return distrust("it sent what can't be read: " + envelope.what());
    take(conversation->hear(envelope->body), envelope->body);
  }

  void take(const Outcome& allowed, const session::Message& message) {
    if (!allowed) return distrust(allowed.what());
    std::visit([this](const auto& one) { act(one); }, message);
  }

  // The other side does what no part of this program does.
  void distrust(const std::string& why) {
    warn_of(peer_name(), "session with \"" + peer_name() + "\" ends: " + why);
    end(why);
  }

  std::string peer_name() const { return handshake ? handshake->peer_name() : std::string(); }

  // ---- the handshake --------------------------------------------------------------------------

  void act(const session::Hello& hello) {
    auto challenge = handshake->challenge(hello);
    if (!challenge) return refuse(challenge.what());
    say(*challenge);
  }

  void act(const session::Challenge& challenge) {
    auto proof = handshake->answer(challenge);
    if (!proof) return end(proof.what());
    say(*proof);
  }

  void act(const session::Proof& proof) {
    if (auto finished = handshake->finish(proof); !finished) return refuse(finished.what());
    if (!setup.calendar) return admit();
    self->request(setup.calendar, caf::infinite, GetHost{peer_name(), handshake->peer_claim()})
        .then([this](const FoundHost& found) {
          if (!found.host) return refuse(found.refusal);
          setup.owner = caf::actor_cast<SessionOwner>(found.host);
          admit();
        });
  }

  void admit() {
    if (ended) return;
    const auto welcome = handshake->welcome(setup.welcome);
    say(welcome);
    conversation->admit();
    open_up(welcome);
  }

  void act(const session::Welcome& welcome) {
    if (auto entered = handshake->enter(welcome); !entered) return distrust(entered.what());
    open_up(welcome);
    hand_over(welcome);
  }

  void open_up(const session::Welcome& welcome) {
    orders.open(conversation->listener(), *setup.identity, *handshake, welcome);
    caf::anon_send(setup.owner, SessionUp{caf::actor_cast<caf::strong_actor_ptr>(self), self->id(),
                                          peer_name(), handshake->peer_claim()});
  }

  void refuse(const std::string& reason) {
    warn_of(peer_name(), "session refused peer=" + peer_name() + " reason=" + reason);
    audit({"", "", nobody, nobody, peer_name(), "session"}, "", "opens a session",
          Answer::refusal(reason));
    say(session::Refused{reason});
  }

  void act(const session::Refused& refused) { end("refused: " + refused.reason, true); }

  // ---- the open session -----------------------------------------------------------------------

  void act(const session::SignedOrder& order) {
    const auto message = orders.read(order);
    if (message) return take(conversation->hear_order(*message), *message);
    spdlog::error("an order of {} is refused: {}", peer_name(), message.what());
    end(message.what());
  }

  template <class Other> void act(const Other& message) { hand_over(message); }

  void hand_over(session::Message message) {
    caf::anon_send(setup.owner, SessionSaid{self->id(), std::make_shared<const session::Message>(
                                                            std::move(message))});
  }

  void beat() {
    if (const auto over = silence.beat(orders.is_open())) return end(*over);
    transmit(channel.beat());
    self->delayed_send(self, Silence::beat_period, Beat{});
  }

  ActorState inspect() const {
    return {"peer: " + peer_name() + "\nhears as: " + name_of(conversation->listener()) +
            "\nstage: " + name_of(conversation->stage()) +
            "\nstrangers: " + std::to_string(strangers) +
            "\nunacknowledged: " + std::to_string(channel.unacknowledged()) +
            "\nsilent_beats: " + std::to_string(silence.beats()) + "\n"};
  }

  SessionActor::pointer self;
  SessionSetup setup;
  std::optional<Conversation> conversation; ///< once it has begun
  std::optional<Handshake> handshake;
  SessionOrders orders;
  Channel channel;
  std::vector<caf::typed_response_promise<AwaitRoom>> waiting_for_room;
  caf::strong_actor_ptr remote;
  bool ended = false;
  std::int64_t strangers = 0; ///< packets of others
  Silence silence;
};

SessionActor::behavior_type session_actor(Watched<SessionActor, SessionState> self,
                                          SessionSetup setup) {
  end_process_on_exception(self, "session");
  self->set_down_handler([self](const caf::down_msg&) { self->state.end("the link is down"); });
  self->state.begin(std::move(setup));
  return {
      [self](const Packet& packet) { self->state.hear(packet); },
      [](const CatchUp& question) { return question; },
      [self](const LinkUp& link) { self->state.link_up(link); },
      [self](const LinkDown& link) { self->state.end(link.reason); },
      [self](const Say& say) { self->state.say(say.message); },
      [self](const AwaitRoom&) { return self->state.await_room(); },
      [self](const Beat&) { self->state.beat(); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

SessionActor spawn_session(caf::actor_system& system, SessionSetup setup) {
  return system.spawn(session_actor, std::move(setup));
}

SessionMaker accepting_sessions(caf::actor_system& system, SessionSetup setup) {
  return [&system, setup = std::move(setup)](caf::strong_actor_ptr remote,
                                             const std::string& binding) {
    auto own = setup;
    own.remote = std::move(remote), own.binding = binding;
    return spawn_session(system, std::move(own));
  };
}

} // namespace almanac
