#include "actors/process/link_broker.hpp"

#include "actors/process/close_socket.hpp"
#include "actors/process/tcp_socket.hpp"
#include "actors/session/packet_frames.hpp"
#include "actors/support.hpp"
#include "actors/warnings.hpp"
#include "core/admission/share.hpp"
#include "core/admission/strangers.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/io/broker.hpp>
#include <caf/io/middleman.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <sys/resource.h>

namespace almanac {

namespace {

constexpr std::size_t link_piece = 4u << 10;          // of what is read at once
constexpr std::size_t link_output = 256u << 10;       // packets are written while it is less
constexpr std::size_t link_deaf = 4 * largest_packet; // nobody who reads leaves so much
constexpr std::chrono::seconds tls_patience{10};
constexpr std::chrono::seconds link_round{1};
constexpr Share::Limits link_places{32768, 0, 16, 8};
constexpr std::size_t link_reads =
    256; // pieces that a session may have before it; it is asked then

// Other things need descriptors, too: the doors, the store, the tasks.
Share::Limits places_here() {
  auto limits = link_places;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0)
    limits.all = std::min<std::size_t>(limits.all, files.rlim_cur / 2);
  return limits;
}

struct LinkConnection {
  LinkConnection(const TlsContext& context, TlsChannel::End end) : tls(context, end) {}

  TlsChannel tls;
  PacketAssembly packets;
  std::string account; ///< whose place it has: an address, an agent; "": called from here
  std::string far;     ///< for the log
  CertificateRole role = CertificateRole::agent; ///< of who is there
  SessionActor session;                          ///< of a called one: as soon as TLS is done
  caf::strong_actor_ptr wire;                    ///< as soon as TLS is done
  std::deque<Packet> waiting;                    ///< to be written
  std::size_t waiting_bytes = 0;
  std::chrono::steady_clock::time_point deadline; ///< of TLS
};

struct LinkState {
  static inline const char* name = "link";

  std::optional<TlsContext> context;
  LinkAcceptor acceptor;
  caf::actor next_round;
  std::map<caf::io::connection_handle, LinkConnection> connections;
  std::map<caf::actor_id, caf::io::connection_handle> of_wire, of_session;
  Share of_places{places_here()};
  Strangers<caf::io::connection_handle> strangers; ///< who came here and is not done with TLS
  std::random_device chance;
};

using LinkBroker = caf::stateful_actor<LinkState, caf::io::broker>;

// Answers in the next round of CAF's loop over its sockets: a broker is not resumed in the one in
// which it was sent something.
caf::behavior link_round_keeper(caf::io::broker*) {
  return {[](const CatchUp& question) { return question; }};
}

// What a session knows as its far side.
caf::behavior link_wire(caf::event_based_actor* self, const caf::actor& broker) {
  return {[self, broker](const Packet& packet) { self->send(broker, packet); }};
}

// Forgets a connection, and whoever has to do with it hears why.
void forget(LinkBroker* self, caf::io::connection_handle handle, const std::string& why) {
  auto& state = self->state;
  const auto it = state.connections.find(handle);
  if (it == state.connections.end()) return;
  auto& connection = it->second;
  state.strangers.remove(handle);
  if (!connection.account.empty()) state.of_places.give_back(connection.account, 1);
  if (connection.session) state.of_session.erase(connection.session->id());
  if (connection.wire) {
    state.of_wire.erase(connection.wire->id());
    caf::anon_send(connection.session, LinkDown{why});
    caf::anon_send_exit(connection.wire, caf::exit_reason::user_shutdown);
  } else if (connection.session) {
    caf::anon_send(connection.session, LinkDown{"can't reach " + connection.far + ": " + why});
  } else warn_of(connection.far, "link: a connection of " + connection.far + " was closed: " + why);
  state.connections.erase(it);
}

void drop_link(LinkBroker* self, caf::io::connection_handle handle, const std::string& why) {
  forget(self, handle, why);
  close_socket(self, handle);
}

void write_output(LinkBroker* self, caf::io::connection_handle handle, LinkConnection& connection) {
  const auto bytes = connection.tls.output();
  if (bytes.empty()) return;
  self->write(handle, bytes.size(), bytes.data());
  self->flush(handle);
}

LinkConnection& begin_link(LinkBroker* self, caf::io::connection_handle handle,
                           TlsChannel::End end) {
  auto& state = self->state;
  auto& connection = state.connections.try_emplace(handle, *state.context, end).first->second;
  connection.deadline = std::chrono::steady_clock::now() + tls_patience;
  self->configure_read(handle, caf::io::receive_policy::at_most(link_piece));
  self->trigger(handle, link_reads);
  write_output(self, handle, connection);
  return connection;
}

// Who is not known yet makes room; who has shown a certificate stays.
bool take_place(LinkBroker* self, const std::string& address) {
  auto& state = self->state;
  while (!state.of_places.take(address, 1)) {
    const auto goes = state.strangers.who_goes(address, state.chance());
    if (!goes) return false;
    drop_link(self, *goes, "TLS was not finished, and another one needs the place");
  }
  return true;
}

void accept_link(LinkBroker* self, caf::io::connection_handle handle) {
  // In CAF 0.17's default multiplexer a connection's id is its file descriptor.
  const auto address = far_address(static_cast<int>(handle.id()));
  if (address.empty() || !take_place(self, address)) {
    warn_of(address, "link: a connection of \"" + address + "\" was closed: there is no place");
    return close_socket(self, handle);
  }
  auto& connection = begin_link(self, handle, TlsChannel::End::server);
  connection.account = connection.far = address;
  self->state.strangers.add(address, handle);
}

// A connection ends with its session.
void give_session(LinkBroker* self, caf::io::connection_handle handle, LinkConnection& connection,
                  const SessionActor& session) {
  connection.session = session;
  self->state.of_session[session->id()] = handle;
  self->monitor(session);
}

void call_link(LinkBroker* self, const LinkDialed& dialed) {
  const auto handle = self->add_scribe(dialed.socket);
  auto& connection = begin_link(self, handle, TlsChannel::End::client);
  connection.far = dialed.address, connection.role = dialed.role;
  give_session(self, handle, connection, dialed.session);
}

// Who it is known to be has its place from now on, not the address, which others may share.
bool move_place(LinkBroker* self, caf::io::connection_handle handle, LinkConnection& connection) {
  auto& places = self->state.of_places;
  self->state.strangers.remove(handle);
  places.give_back(std::exchange(connection.account, ""), 1);
  const auto name = "agent " + connection.tls.peer();
  if (!places.take(name, 1)) return false;
  connection.account = name;
  return true;
}

// TLS is done: the session takes over.
void open_link(LinkBroker* self, caf::io::connection_handle handle, LinkConnection& connection) {
  auto& state = self->state;
  if (!connection.session && !move_place(self, handle, connection))
    return drop_link(self, handle, "agent " + connection.tls.peer() + " has too many");
  const auto wire = self->system().spawn(link_wire, caf::actor(self));
  connection.wire = caf::actor_cast<caf::strong_actor_ptr>(wire);
  state.of_wire[wire.id()] = handle;
  if (connection.session)
    return caf::anon_send(connection.session, LinkUp{connection.wire, connection.tls.binding()});
  give_session(self, handle, connection,
               state.acceptor.sessions(connection.wire, connection.tls.binding()));
}

// A daemon of before our own frames; it says nothing until it is answered.
void refuse_outdated(LinkBroker* self, caf::io::connection_handle handle,
                     const LinkConnection& connection) {
  const auto name = connection.tls.peer();
  const auto what = "agent " + name + " speaks protocol 1: upgrade it";
  if (connection.session)
    return drop_link(self, handle, "the daemon of " + name + " speaks protocol 1: upgrade it");
  if (const auto& tell = self->state.acceptor.tell_people) tell(name, what.c_str());
  drop_link(self, handle, what);
}

// The packets come from the wire: a session hears nobody else.
void hand_to_session(const LinkConnection& connection, Packet packet) {
  caf::actor_cast<caf::abstract_actor*>(connection.session)
      ->enqueue(connection.wire, caf::make_message_id(), caf::make_message(std::move(packet)),
                nullptr);
}

void read_link(LinkBroker* self, const caf::io::new_data_msg& data) {
  auto& state = self->state;
  const auto it = state.connections.find(data.handle);
  if (it == state.connections.end()) return;
  auto& connection = it->second;
  const auto text =
      connection.tls.hear({reinterpret_cast<const char*>(data.buf.data()), data.buf.size()});
  if (!text) {
    say_last(self, data.handle, connection.tls.output());
    return drop_link(self, data.handle, text.what());
  }
  write_output(self, data.handle, connection);
  if (connection.tls.is_open() && !connection.wire) {
    if (!connection.tls.speaks_frames()) return refuse_outdated(self, data.handle, connection);
    if (auto fits = connection.tls.check_peer(connection.role); !fits)
      return drop_link(self, data.handle, fits.what());
    open_link(self, data.handle, connection);
    if (!state.connections.contains(data.handle)) return;
  }
  auto packets = connection.packets.take(*text);
  if (!packets) {
    warn_of(connection.far,
            "link: " + connection.far + " sent what is not a packet: " + packets.what());
    return drop_link(self, data.handle, packets.what());
  }
  for (auto& packet : *packets) hand_to_session(connection, std::move(packet));
  if (self->wr_buf(data.handle).size() > link_deaf)
    drop_link(self, data.handle, "it does not read what it gets");
}

// CAF stops to read at the end of the round in which it says so, and forgets what was triggered
// before that.
void read_on(LinkBroker* self, caf::io::connection_handle handle) {
  self->request(self->state.next_round, caf::infinite, CatchUp{})
      .then([self, handle](const CatchUp&) { self->trigger(handle, link_reads); });
}

// Reads on once the session has heard all of it; before TLS is done, there is nobody to ask.
void catch_up(LinkBroker* self, caf::io::connection_handle handle) {
  const auto it = self->state.connections.find(handle);
  if (it == self->state.connections.end()) return;
  if (!it->second.wire) return self->trigger(handle, link_reads);
  self->request(it->second.session, caf::infinite, CatchUp{})
      .then([self, handle](const CatchUp&) { read_on(self, handle); },
            [](const caf::error&) {}); // it has ended, and so does the connection
}

void pump_link(LinkBroker* self, caf::io::connection_handle handle, LinkConnection& connection) {
  auto& waiting = connection.waiting;
  while (!waiting.empty() && self->wr_buf(handle).size() < link_output) {
    const auto frames = frames_of(waiting.front());
    const auto said = frames ? connection.tls.say(*frames) : Outcome(frames.error());
    if (!said) {
      spdlog::error("link: nothing can be sent to {}: {}", connection.far, said.what());
      return drop_link(self, handle, said.what());
    }
    connection.waiting_bytes -= waiting.front().content.size();
    waiting.pop_front();
    write_output(self, handle, connection);
  }
  self->ack_writes(handle, !waiting.empty());
}

// What finds no room is lost: its session says it again until it is acknowledged.
void send_packet(LinkBroker* self, const Packet& packet) {
  auto& state = self->state;
  const auto& sender = self->current_sender();
  const auto handle = sender ? state.of_wire.find(sender->id()) : state.of_wire.end();
  if (handle == state.of_wire.end()) return;
  auto& connection = state.connections.at(handle->second);
  const auto size = packet.content.size();
  if (!connection.waiting.empty() && connection.waiting_bytes + size > largest_packet) return;
  connection.waiting.push_back(packet);
  connection.waiting_bytes += size;
  pump_link(self, handle->second, connection);
}

void close_slow_links(LinkBroker* self) {
  std::vector<caf::io::connection_handle> slow;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& [handle, connection] : self->state.connections)
    if (!connection.wire && connection.deadline <= now) slow.push_back(handle);
  for (const auto& handle : slow)
    drop_link(self, handle, "TLS was not finished within ten seconds");
  self->delayed_send(self, link_round, Wake{});
}

void end_with_session(LinkBroker* self, const caf::actor_addr& session) {
  const auto it = self->state.of_session.find(session.id());
  if (it != self->state.of_session.end()) drop_link(self, it->second, "its session has ended");
}

caf::behavior link_broker(LinkBroker* self, const TlsContext& context) {
  self->state.context = context;
  self->state.next_round = self->system().middleman().spawn_broker(link_round_keeper);
  self->link_to(self->state.next_round);
  end_process_on_exception(self, "link");
  self->set_down_handler(
      [self](const caf::down_msg& down) { end_with_session(self, down.source); });
  self->delayed_send(self, link_round, Wake{});
  return {
      [self](const LinkListen& listen) {
        self->state.acceptor = listen.acceptor;
        self->add_doorman(listen.socket);
      },
      [self](const LinkDialed& dialed) { call_link(self, dialed); },
      [self](const Packet& packet) { send_packet(self, packet); },
      [self](const Wake&) { close_slow_links(self); },
      [self](const caf::io::new_connection_msg& connection) {
        accept_link(self, connection.handle);
      },
      [self](const caf::io::new_data_msg& data) { read_link(self, data); },
      [self](const caf::io::connection_passivated_msg& full) { catch_up(self, full.handle); },
      [self](const caf::io::data_transferred_msg& written) {
        const auto it = self->state.connections.find(written.handle);
        if (it != self->state.connections.end()) pump_link(self, written.handle, it->second);
      },
      [self](const caf::io::connection_closed_msg& closed) {
        forget(self, closed.handle, "the far end has closed it");
      },
      [](const caf::io::acceptor_closed_msg&) {
        spdlog::error("link: the listening socket was closed");
      },
  };
}

} // namespace

caf::actor spawn_link_broker(caf::actor_system& system, const TlsContext& context) {
  return system.middleman().spawn_broker(link_broker, context);
}

} // namespace almanac
