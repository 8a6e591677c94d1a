#include "tools/simulator/chaos/hostile_session.hpp"

#include "actors/session/channel.hpp"
#include "actors/support.hpp"
#include "schema/codec.hpp"

#include <utility>

namespace almanac {

namespace {

constexpr auto hostile_beat = std::chrono::seconds(2);

struct HostileSessionState {
  static inline const char* name = "hostile-session";
  explicit HostileSessionState(SessionActor::pointer self) : self(self) {}

  void begin(std::shared_ptr<HostileConversation> given) {
    talk = std::move(given);
    self->delayed_send(self, hostile_beat, Beat{});
  }

  void link_up(const LinkUp& link) {
    if (remote) return;
    remote = link.remote;
    self->monitor(caf::actor_cast<caf::actor>(remote));
    handshake.emplace(talk->identity, talk->random, link.binding);
    say(encode(session::Envelope{handshake->begin(talk->with, talk->name)}));
  }

  void end() {
    talk->over = true;
    self->quit();
  }

  void transmit(std::vector<Packet> packets) {
    for (auto& packet : packets) self->send(caf::actor_cast<WireActor>(remote), std::move(packet));
  }

  void say(std::string content) {
    ++talk->said;
    transmit(channel.say(std::move(content)));
  }

  void flush() {
    if (!remote || talk->over) return;
    for (auto& content : std::exchange(talk->contents, {})) say(std::move(content));
    for (auto& packet : std::exchange(talk->packets, {})) transmit({std::move(packet)});
  }

  void hear(const Packet& packet) {
    ++talk->heard;
    // A far end that has ended the session acknowledges nothing and says nothing.
    if (talk->fatal && packet.acknowledged >= *talk->fatal) talk->heard_after = true;
    const auto contents = channel.hear(packet);
    transmit(channel.released());
    for (const auto& content : contents) {
      if (talk->over) return;
      if (auto envelope = decode<session::Envelope>(content)) act(envelope->body);
    }
  }

  void act(const session::Message& message) {
    if (const auto* challenge = std::get_if<session::Challenge>(&message)) {
      auto proof = handshake->answer(*challenge);
      if (!proof) return end();
      say(encode(session::Envelope{*proof}));
    } else if (const auto* welcome = std::get_if<session::Welcome>(&message)) {
      if (!handshake->enter(*welcome)) return end();
      talk->session_id = handshake->session_id();
      talk->open = true;
    } else if (std::holds_alternative<session::Refused>(message)) return end();
    if (talk->on_message) talk->on_message(message);
  }

  void beat() {
    if (talk->over) return end();
    if (remote && !talk->mute) transmit(channel.beat());
    self->delayed_send(self, hostile_beat, Beat{});
  }

  SessionActor::pointer self;
  std::shared_ptr<HostileConversation> talk;
  std::optional<Handshake> handshake;
  Channel channel;
  caf::strong_actor_ptr remote;
};

SessionActor::behavior_type
hostile_session(SessionActor::stateful_pointer<HostileSessionState> self,
                std::shared_ptr<HostileConversation> talk) {
  self->set_down_handler([self](const caf::down_msg&) { self->state.end(); });
  self->state.begin(std::move(talk));
  return {
      [self](const Packet& packet) { self->state.hear(packet); },
      [](const CatchUp& question) { return question; },
      [self](const LinkUp& link) { self->state.link_up(link); },
      [self](const LinkDown&) { self->state.end(); },
      [self](const Say&) { self->state.flush(); },
      [](const AwaitRoom& question) { return question; },
      [self](const Beat&) { self->state.beat(); },
      [](const Inspect&) { return ActorState{"hostile"}; },
  };
}

} // namespace

SessionActor spawn_hostile_session(caf::actor_system& system,
                                   std::shared_ptr<HostileConversation> talk) {
  return system.spawn(hostile_session, std::move(talk));
}

} // namespace almanac
