// Somebody who holds the folder of one agent, and says what no agent would say.
//
//   peer FOLDER HOST PORT ATTEMPT      PORT is that of the daemon to call; "master": where to
//   listen
//
// Prints what it hears, a line each. The test that runs it looks at what the daemons did.
#include "actors/process/daemon.hpp"
#include "actors/process/tls_link.hpp"
#include "actors/session/channel.hpp"
#include "actors/session/protocol.hpp"
#include "actors/trust/order.hpp"
#include "core/text/words.hpp"
#include "schema/codec.hpp"

#include <caf/all.hpp>
#include <caf/forwarding_actor_proxy.hpp>
#include <caf/io/basp_broker.hpp>
#include <caf/io/middleman.hpp>
#include <caf/openssl/all.hpp>

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
  using Self = ReceptionActor::stateful_pointer<Rogue>;
  explicit Rogue(Self self) : self(self) {}

  void call(const caf::strong_actor_ptr& daemon) {
    far = daemon;
    if (attempt == "welcome") {
      say(session::Welcome{1, "mine", {}});
      return say(session::PeerStart{7, {1, 0, 1}, {"id"}, {}, "/tmp", {}, {}, false});
    }
    say(hand->begin(attempt == "order" ? session::Role::agent : session::Role::master, ""));
  }

  void hear(const Packet& packet) {
    far = self->current_sender();
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
  // A manager at the master's own door, if the agent is believed.
  void react(const session::Registered&) {
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
      for (const auto& line : answer->lines) std::cout << line.text << std::endl;
  }

  void say(session::Message message) {
    for (auto& packet : channel.say(encode(session::Envelope{std::move(message)})))
      send(std::move(packet));
  }
  void send(Packet packet) { self->send(caf::actor_cast<ReceptionActor>(far), std::move(packet)); }

  Self self;
  std::string attempt;
  Identity identity;
  std::optional<Handshake> hand;
  Channel channel;
  caf::strong_actor_ptr far;
};

ReceptionActor::behavior_type rogue(Rogue::Self self, std::string attempt, Identity identity,
                                    caf::strong_actor_ptr daemon) {
  auto& state = self->state;
  state.attempt = std::move(attempt), state.identity = std::move(identity);
  state.hand.emplace(state.identity, random_bytes, "");
  if (daemon) state.call(daemon);
  return {[self](const Packet& packet) { self->state.hear(packet); }};
}

// The end of a task of somebody else, to every actor there may be, in nobody's name.
void inject(caf::actor_system& system, const caf::strong_actor_ptr& daemon) {
  session::TaskReport report;
  report.attempt = {1, 0, 1}, report.phase = session::TaskPhase::ended, report.began = true;
  report.record.exit_status = 42;
  const auto content = encode(session::Envelope{report});
  auto broker = system.middleman().named_broker<caf::io::basp_broker>(caf::atom("BASP"));
  for (caf::actor_id id = 5; id < 150; ++id) {
    caf::actor_config config;
    const auto target = caf::make_actor<caf::forwarding_actor_proxy, caf::strong_actor_ptr>(
        id, daemon->node(), &system, config, broker);
    for (std::uint64_t sequence = 1; sequence < 40; ++sequence)
      caf::anon_send(caf::actor_cast<ReceptionActor>(target), Packet{sequence, 0, content});
  }
  std::cout << "injected" << std::endl;
}

} // namespace

int main(int argc, char** argv) {
  check(argc == 5, "four words");
  const std::string folder = argv[1], attempt = argv[4];
  const auto port = static_cast<std::uint16_t>(std::atoi(argv[3]));
  DaemonConfig config({folder + "/tls.pem", folder + "/tls.key", folder + "/ca.pem"});
  caf::actor_system system(config);
  const auto identity = identity_in(folder, argv[2]);
  if (attempt == "master") {
    const auto self = system.spawn(rogue, attempt, identity, caf::strong_actor_ptr());
    const auto opened = caf::openssl::publish(self, port, "127.0.0.1", true);
    check(opened.engaged(), "there is a port");
    std::cout << *opened << std::endl;
  } else {
    const auto daemon = caf::openssl::remote_actor<ReceptionActor>(system, "127.0.0.1", port);
    check(daemon.engaged(), "the daemon is reached");
    const auto pointer = caf::actor_cast<caf::strong_actor_ptr>(*daemon);
    if (attempt == "inject") inject(system, pointer);
    else system.spawn(rogue, attempt, identity, pointer);
  }
  std::this_thread::sleep_for(stay);
  std::_Exit(0);
}
