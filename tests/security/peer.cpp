// Somebody who holds the folder of one agent, and says what no agent would say.
//
//   peer FOLDER HOST PORT ATTEMPT      PORT is that of the daemon to call; "master": where to
//   listen
//
// Prints what it hears, a line each. The test that runs it looks at what the daemons did.
#include "core/answer/gridengine.hpp"
#include "actors/process/daemon.hpp"
#include "actors/process/daemon_config.hpp"
#include "actors/process/frame_link.hpp"
#include "actors/session/channel.hpp"
#include "actors/session/protocol.hpp"
#include "actors/trust/order.hpp"
#include "core/text/words.hpp"
#include "schema/codec.hpp"

#include <caf/all.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <unistd.h>

using namespace almanac;

namespace {

constexpr auto stay = std::chrono::seconds(60); // the test ends it before

std::string content_of(const std::string& path) {
  auto content = read_file(path);
  check(content.ok(), "the folder is that of an agent");
  return *content;
}

Identity identity_in(const std::string& folder, const std::string& host) {
  const auto key = SigningKey::parse(trim(content_of(folder + "/sign.key")));
  const auto master = from_hex(trim(content_of(folder + "/master.pub")));
  check(key.ok() && master.ok(), "its keys can be read");
  const auto ticket = decode<session::Ticket>(content_of(folder + "/ticket"));
  check(ticket.ok(), "its ticket can be read");
  return {ticket->cell,
          host,
          session::Role::agent,
          *key,
          content_of(folder + "/ticket"),
          content_of(folder + "/ticket.sig"),
          *master};
}

struct Rogue {
  static inline const char* name = "rogue";
  using Self = caf::stateful_actor<Rogue>*;
  explicit Rogue(Self self) : self(self) {}

  void reached(const caf::strong_actor_ptr& wire, const std::string& binding) {
    far = wire;
    hand.emplace(identity, random_bytes, binding);
    if (attempt == "master") return; // who calls it speaks first
    if (attempt == "welcome") {
      say(session::Welcome{1, "mine", {}});
      return say(session::PeerStart{7, {1, 0, 1}, {"id"}, {}, "/tmp", {}, {}, false});
    }
    say(hand->begin(attempt == "order" ? session::Role::agent : session::Role::master, ""));
  }

  void hear(const Packet& packet) {
    for (const auto& content : channel.hear(packet)) {
      const auto envelope = decode<session::Envelope>(content);
      std::cout << "hears " << (envelope ? name_of(envelope->body) : "noise") << std::endl;
      if (envelope) std::visit([this](const auto& message) { react(message); }, envelope->body);
    }
    for (auto& packet_now : channel.beat()) send(std::move(packet_now));
  }

  template <class Other> void react(const Other&) {}
  // In the place of the master: no Challenge, and no proof of anything.
  void react(const session::Hello&) {
    say(session::Welcome{99, "mine", {}});
    say(session::Registered{Duration{5}, LogLevel::everything});
    say(session::Forget{{1, 0, 1}});
  }
  void react(const session::Refused& refused) { std::cout << refused.reason << std::endl; }
  void react(const session::Challenge& challenge) {
    const auto proof = hand->answer(challenge);
    check(proof.ok(), "the daemon proves who it is");
    say(*proof);
  }
  void react(const session::Welcome& welcome) {
    check(hand->enter(welcome).ok(), "it was the daemon who signed");
    if (attempt == "order") give_order(welcome);
    else say(session::Register{});
  }
  // One agent to another: what only the master orders, in a handshake and a hand of its own.
  void give_order(const session::Welcome& welcome) {
    session::Launch order;
    order.attempt = {1, 0, 1};
    order.prolog = "root@/bin/sh";
    OrderSeal seal(identity.key,
                   {hand->session_id(), hand->peer_name(), welcome.store_id, welcome.term});
    say(seal.sign(order));
  }
  void react(const session::Registered&) {
    if (attempt == "end") return end_of_another();
    if (attempt == "flood") return flood();
    become_manager();
  }
  // The end of a task of somebody else.
  void end_of_another() {
    session::TaskReport report;
    report.attempt = {1, 0, 1}, report.phase = session::TaskPhase::ended, report.began = true;
    report.record.exit_status = 42;
    for (const auto* store : {"", "mine"}) report.store_id = store, say(report);
    std::cout << "said" << std::endl;
  }
  // As much as the line takes, and no regard to what is acknowledged.
  void flood() {
    self->delayed_send(self, std::chrono::milliseconds(5), Wake{});
    const auto content =
        encode(session::Envelope{session::Relay{1, {}, {std::string(200'000, 'x')}}});
    for (int i = 0; i < 20; ++i) send({flooded++, 0, content});
    if (flooded > 2000) std::cout << "flooded" << std::endl;
  }
  // A manager at the master's own door, if the agent is believed.
  void become_manager() {
    ConfigurationChange change;
    change.verb = ChangeVerb::add_entries, change.object.kind = ObjectKind::managers;
    change.entries = {"sec"};
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    say(session::Relay{
        5,
        {"root", "root", 0, 0, host, "unix door"},
        {encode(door::Request{1, "a-request", door::RunCommand{Configure{change}}})}});
  }
  void react(const session::RelayAnswer& relayed) {
    const auto reply = decode<door::Reply>(relayed.frame.content);
    if (const auto* answer = reply ? std::get_if<Answer>(&reply->body) : nullptr)
      for (const auto& line : gridengine::lines_of(*answer)) std::cout << line.text << std::endl;
  }

  void say(session::Message message) {
    for (auto& packet : channel.say(encode(session::Envelope{std::move(message)})))
      send(std::move(packet));
  }
  void send(Packet packet) { self->send(caf::actor_cast<WireActor>(far), std::move(packet)); }

  Self self;
  std::string attempt;
  Identity identity;
  std::optional<Handshake> hand;
  Channel channel;
  caf::strong_actor_ptr far;
  std::uint64_t flooded = 4; ///< the next packet's number, after Hello, Proof and Register
};

caf::behavior rogue(Rogue::Self self, const std::string& attempt, const Identity& identity) {
  self->state.attempt = attempt, self->state.identity = identity;
  return {
      [self](const LinkUp& link) { self->state.reached(link.remote, link.binding); },
      [](const LinkDown& link) { std::cout << link.reason << std::endl; },
      [self](const Packet& packet) { self->state.hear(packet); },
      [self](const Wake&) { self->state.flood(); },
      [](const CatchUp& question) { return question; },
      [](const AwaitRoom& question) { return question; },
  };
}

} // namespace

int main(int argc, char** argv) {
  check(argc == 5, "four words");
  const std::string folder = argv[1], port = argv[3], attempt = argv[4];
  DaemonConfig config;
  caf::actor_system system(config);
  const auto link =
      FrameLink::open(system, {folder + "/tls.pem", folder + "/tls.key", folder + "/ca.pem"});
  check(link.ok(), "its certificate can be read");
  const auto identity = identity_in(folder, argv[2]);
  const auto spawn_rogue = [&] {
    return caf::actor_cast<SessionActor>(system.spawn(rogue, attempt, identity));
  };
  if (attempt == "master") {
    const auto accept = [&](const caf::strong_actor_ptr& wire, const std::string& binding) {
      auto session = spawn_rogue();
      caf::anon_send(session, LinkUp{wire, binding});
      return session;
    };
    const auto opened = (*link)->listen({accept, nullptr}, 0, "127.0.0.1");
    check(opened.ok(), "there is a port");
    std::cout << *opened << std::endl;
  } else
    (*link)->connect("127.0.0.1:" + port,
                     attempt == "order" || attempt == "welcome" ? session::Role::agent
                                                                : session::Role::master,
                     spawn_rogue());
  std::this_thread::sleep_for(stay);
  std::_Exit(0);
}
