#include "actors/process/door_broker.hpp"

#include "actors/audit.hpp"
#include "actors/process/close_socket.hpp"
#include "actors/support.hpp"
#include "actors/warnings.hpp"
#include "core/admission/pace.hpp"
#include "core/admission/strangers.hpp"
#include "schema/codec.hpp"
#include "schema/frames.hpp"

#include <caf/io/broker.hpp>
#include <caf/io/middleman.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <random>

namespace almanac {

namespace {

constexpr std::size_t enough_output = 256u << 10; // more frames are made when this is less
constexpr std::size_t piece = 16u << 10;          // of a frame that is read
constexpr std::size_t tls_piece = 4u << 10;       // of what is read at once with TLS
constexpr std::size_t tls_memory = 64u << 10;     // of a connection, whatever comes
// And while hands are shaken: OpenSSL makes room for a greeting that is only announced, 131,396
// bytes at most, and a third more.
constexpr std::size_t tls_memory_shaking = 256u << 10;
constexpr std::size_t most_requests = 256; // of one connection in flight
constexpr std::size_t far_too_many_requests = 2 * most_requests;
constexpr std::size_t unheard_at_once = 64;  // of an account, in a taker's mailbox
constexpr std::chrono::seconds patience{10}; // for the first frame, and for the rest of each
constexpr std::chrono::seconds look_around{1};
constexpr std::int64_t retry_after_ms = 100;
// An eighth of what is free for one user or address, and some places that only root gets.
constexpr Share::Limits places{8192, 256, 16, 8};
// Parts of frames, and answers that are not read yet.
constexpr Share::Limits bytes{1u << 30, 64u << 20, 8u << 20, 8};

struct DoorState {
  static inline const char* name = "door";

  // Requests of one connection are answered in their order, whatever order the answers come in.
  struct Waiting {
    std::int64_t number = 0;
    std::deque<std::string> frames;      ///< ready to be written
    std::shared_ptr<EncodedFrames> rest; ///< made as the client reads
    bool done = false;
    caf::strong_actor_ptr maker{}; ///< of the rest, if not here; it hears that nobody wants it
  };
  struct Connection {
    Visitor visitor;
    std::string
        party; ///< on whose account its frames go on: one from first to last, for their order
    std::optional<TlsChannel> tls;
    std::string binding;     ///< of the channel, once it is open
    std::string head;        ///< with TLS: what is there of a frame's length
    std::size_t missing = 0; ///< of the frame that is being read; 0: its length comes next
    std::string frame;
    std::size_t charged = 0; ///< bytes that are kept on the visitor's account
    std::optional<std::chrono::steady_clock::time_point> deadline;
    bool is_introduced = false;
    std::deque<Waiting> waiting; ///< by ascending number
  };

  /// Requests of one account to one taker.
  using Party = std::pair<std::string, std::size_t>;

  std::map<caf::io::connection_handle, Connection> connections;
  std::map<std::int64_t, caf::io::connection_handle> of_request;
  std::int64_t last_number = 0;
  Share of_places{places}, of_bytes{bytes};
  Strangers<caf::io::connection_handle> strangers; ///< for whom nobody has vouched, by address
  std::random_device chance;
  Pace<Party, DoorFrame> pace{unheard_at_once};
  DoorSetup setup;
};

using DoorBroker = caf::stateful_actor<DoorState, caf::io::broker>;

void tell_gone(DoorBroker* self, const caf::strong_actor_ptr& maker, std::int64_t number) {
  if (maker) self->send(caf::actor_cast<FrameMakerActor>(maker), ReaderGone{number});
}

void drop(DoorBroker* self, caf::io::connection_handle handle) {
  auto& state = self->state;
  const auto it = state.connections.find(handle);
  if (it == state.connections.end()) return;
  const auto& account = it->second.visitor.account;
  state.strangers.remove(handle);
  state.of_places.give_back(account, 1);
  state.of_bytes.give_back(account, it->second.charged);
  for (const auto& waiting : it->second.waiting) {
    state.of_request.erase(waiting.number);
    tell_gone(self, waiting.maker, waiting.number);
  }
  state.connections.erase(it);
  close_socket(self, handle);
}

void drop(DoorBroker* self, caf::io::connection_handle handle, const char* why) {
  const auto& account = self->state.connections.at(handle).visitor.account;
  warn_of(account, "door: a connection of " + account + " was closed: " + why);
  drop(self, handle);
}

// What is kept for a visitor, in bytes; false when it is too much.
bool charge(DoorState& state, DoorState::Connection& connection, std::size_t amount) {
  if (!state.of_bytes.take(connection.visitor.account, amount, connection.visitor.rank))
    return false;
  connection.charged += amount;
  return true;
}

void discharge(DoorState& state, DoorState::Connection& connection, std::size_t amount) {
  state.of_bytes.give_back(connection.visitor.account, amount);
  connection.charged -= amount;
}

void turn_away(const DoorState& state, Visitor visitor, const std::string& why) {
  if (warn_of(visitor.account, "door: a connection was closed: " + why) && !visitor.account.empty())
    state.setup.introduction(visitor.caller);
  audit(visitor.caller, "", "comes to a door", Answer::refusal(why));
}

// Reads on. Without TLS it is exactly what is wanted next; text of TLS is cut when it has come.
void read_on(DoorBroker* self, caf::io::connection_handle handle,
             const DoorState::Connection& connection) {
  using caf::io::receive_policy;
  const auto wanted = connection.missing == 0 ? 4 : std::min(connection.missing, piece);
  self->configure_read(handle, connection.tls ? receive_policy::at_most(tls_piece)
                                              : receive_policy::exactly(wanted));
}

// One for whom nobody has vouched goes, so that another one of the address has what it needs; false
// when there is none, or when it would be `asking` itself.
bool make_room(DoorBroker* self, const std::string& address, caf::io::connection_handle asking) {
  auto& state = self->state;
  const auto goes = state.strangers.who_goes(address, state.chance());
  if (!goes || *goes == asking) return false;
  drop(self, *goes, "nobody has vouched for it, and another one needs the place");
  return true;
}

bool take_place(DoorBroker* self, caf::io::connection_handle handle, const Visitor& visitor) {
  while (!self->state.of_places.take(visitor.account, 1, visitor.rank))
    if (!make_room(self, visitor.account, handle)) return false;
  return true;
}

// From then on the connection may have to go for another one.
bool begin_tls(DoorBroker* self, caf::io::connection_handle handle,
               DoorState::Connection& connection) {
  auto& state = self->state;
  while (!charge(state, connection, tls_memory_shaking))
    if (!make_room(self, connection.visitor.account, handle)) return false;
  connection.tls.emplace(*state.setup.tls, TlsChannel::End::server);
  state.strangers.add(connection.visitor.account, handle);
  return true;
}

void accept(DoorBroker* self, caf::io::connection_handle handle) {
  auto& state = self->state;
  // In CAF 0.17's default multiplexer a connection's id is its file descriptor.
  auto visitor = state.setup.doorman(static_cast<int>(handle.id()));
  if (!visitor || !take_place(self, handle, *visitor)) {
    const auto why = visitor ? visitor->account + " has too many" : visitor.what();
    close_socket(self, handle);
    return turn_away(state, visitor ? *visitor : Visitor{}, why);
  }
  auto& connection = state.connections[handle];
  connection.visitor = std::move(*visitor), connection.party = connection.visitor.account;
  connection.deadline = std::chrono::steady_clock::now() + patience;
  if (state.setup.tls && !begin_tls(self, handle, connection))
    return drop(self, handle, "its address has too many");
  read_on(self, handle, connection);
}

// Closes those who began a frame, or came, and go on with it too slowly.
void close_the_slow(DoorBroker* self) {
  std::vector<caf::io::connection_handle> slow;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& [handle, connection] : self->state.connections)
    if (connection.deadline && *connection.deadline < now) slow.push_back(handle);
  for (const auto& handle : slow) drop(self, handle, "no whole request came within ten seconds");
  self->delayed_send(self, look_around, Wake{});
}

void write_frame(DoorBroker* self, caf::io::connection_handle handle, const std::string& content) {
  auto& tls = self->state.connections.at(handle).tls;
  if (!tls) {
    const auto head = door::frame_head(content.size());
    self->write(handle, head.size(), head.data());
    self->write(handle, content.size(), content.data());
    return;
  }
  check(tls->say(door::framed(content)).ok(), "a channel that is open takes what is said");
  const auto bytes = tls->output();
  self->write(handle, bytes.size(), bytes.data());
}

bool has_enough(DoorBroker* self, caf::io::connection_handle handle) {
  return self->wr_buf(handle).size() > enough_output;
}

// False while the client has enough to read.
bool write_rest(DoorBroker* self, caf::io::connection_handle handle, DoorState::Waiting& entry) {
  while (entry.rest) {
    if (has_enough(self, handle)) return false;
    if (entry.maker) { // it sends the next one
      self->send(caf::actor_cast<FrameMakerActor>(entry.maker),
                 TakeFrame{entry.number, std::exchange(entry.rest, nullptr)});
    } else if (const auto frame = entry.rest->next()) write_frame(self, handle, *frame);
    else entry.rest = nullptr, entry.done = true;
  }
  return true;
}

// Writes what the first requests that wait have got.
void pump(DoorBroker* self, caf::io::connection_handle handle) {
  auto& state = self->state;
  auto& connection = state.connections.at(handle);
  auto& waiting = connection.waiting;
  bool is_enough = false;
  while (!waiting.empty() && !is_enough) {
    auto& first = waiting.front();
    while (!first.frames.empty() && !has_enough(self, handle)) {
      write_frame(self, handle, first.frames.front());
      discharge(state, connection, first.frames.front().size());
      first.frames.pop_front();
    }
    is_enough = !first.frames.empty() || !write_rest(self, handle, first);
    if (is_enough || !first.done) break;
    state.of_request.erase(first.number);
    waiting.pop_front();
  }
  self->ack_writes(handle, is_enough);
  self->flush(handle);
}

void reply(DoorBroker* self, const DoorReply& reply) {
  auto& state = self->state;
  const auto found = state.of_request.find(reply.connection);
  if (found == state.of_request.end()) // the client has gone
    return tell_gone(self, reply.maker, reply.connection);
  const auto handle = found->second;
  auto& connection = state.connections.at(handle);
  const auto entry = std::lower_bound(
      connection.waiting.begin(), connection.waiting.end(), reply.connection,
      [](const auto& waiting, std::int64_t number) { return waiting.number < number; });
  check(entry != connection.waiting.end() && entry->number == reply.connection,
        "a request that is known waits in its connection");
  // Nothing is said to it: what waits behind an answer that goes on is not kept for nothing.
  if (reply.last && !reply.rest && reply.content.empty()) {
    connection.waiting.erase(entry);
    state.of_request.erase(found);
    return pump(self, handle);
  }
  entry->frames.push_back(reply.content);
  entry->rest = reply.rest, entry->maker = reply.maker;
  entry->done = reply.last;
  if (!charge(state, connection, reply.content.size()))
    return drop(self, handle, "it does not read its answers");
  pump(self, handle);
}

// What goes on to a taker is no longer kept here; nobody wants an answer once the client is gone.
void hand_on(DoorBroker* self, const DoorState::Party& party, std::vector<DoorFrame> frames) {
  auto& state = self->state;
  const auto& taker = state.setup.takers[party.second];
  for (auto& frame : frames) {
    const auto known = state.of_request.find(frame.connection);
    if (known == state.of_request.end()) continue;
    discharge(state, state.connections.at(known->second), frame.content.size());
    self->send(taker, std::move(frame));
  }
  self->request(taker, caf::infinite, CatchUp{}).then([self, party](const CatchUp&) {
    auto next = self->state.pace.heard(party);
    if (!next.empty()) hand_on(self, party, std::move(next));
  });
}

void take_frame(DoorBroker* self, caf::io::connection_handle handle) {
  auto& state = self->state;
  auto& connection = state.connections.at(handle);
  DoorFrame frame{++state.last_number, {}, std::exchange(connection.frame, {})};
  connection.deadline.reset();
  if (connection.waiting.size() >= far_too_many_requests)
    return drop(self, handle, "it sends requests and does not wait for the answers");
  const auto number = frame.connection;
  connection.waiting.push_back({number, {}, nullptr, false});
  state.of_request[number] = handle;
  if (connection.waiting.size() > most_requests) {
    discharge(state, connection, frame.content.size());
    return reply(self, DoorReply{number, encode(door::Reply{true, door::Busy{retry_after_ms}}),
                                 true, nullptr});
  }
  if (!std::exchange(connection.is_introduced, true))
    state.setup.introduction(connection.visitor.caller);
  frame.caller = connection.visitor.caller, frame.binding = connection.binding;
  // One connection's frames keep their order: they all go to the same taker.
  const DoorState::Party party{connection.party,
                               static_cast<std::size_t>(handle.id()) % state.setup.takers.size()};
  if (auto now = state.pace.add(party, std::move(frame))) hand_on(self, party, {std::move(*now)});
}

// Somebody has vouched for the connection: the user has its place and its bytes from now on, not
// the address, which others may share.
void move_to_user(DoorBroker* self, const DoorVouched& vouched) {
  auto& state = self->state;
  const auto found = state.of_request.find(vouched.connection);
  if (found == state.of_request.end() || !state.strangers.has(found->second)) return;
  const auto handle = found->second;
  auto& connection = state.connections.at(handle);
  const auto user = "user " + vouched.user;
  if (!state.of_places.pass(connection.visitor.account, user, 1))
    return drop(self, handle, "its user has too many");
  const auto kept = connection.charged;
  discharge(state, connection, kept);
  state.strangers.remove(handle);
  connection.visitor.account = user;
  if (!charge(state, connection, kept)) drop(self, handle, "its user has too many");
}

// A head, or a piece of a frame: nobody gets memory for what they only announce.
void take_piece(DoorBroker* self, caf::io::connection_handle handle, std::string_view content) {
  auto& state = self->state;
  auto& connection = state.connections.at(handle);
  if (connection.missing == 0) {
    const auto length = door::frame_length(content);
    if (length == 0 || length > door::largest_request + 4096)
      return drop(self, handle, "it announces a frame that no request has");
    connection.missing = length;
    if (!connection.deadline) connection.deadline = std::chrono::steady_clock::now() + patience;
    return;
  }
  while (!charge(state, connection, content.size()))
    if (!state.strangers.has(handle) || !make_room(self, connection.visitor.account, handle))
      return drop(self, handle, "too much of its user's requests is kept");
  connection.frame += content;
  connection.missing -= content.size();
  if (connection.missing == 0) take_frame(self, handle);
}

// Text of TLS begins and ends anywhere.
void take_text(DoorBroker* self, caf::io::connection_handle handle, std::string_view text) {
  auto& connections = self->state.connections;
  for (auto it = connections.find(handle); it != connections.end() && !text.empty();
       it = connections.find(handle)) {
    auto& connection = it->second;
    auto& head = connection.head;
    const auto wanted = connection.missing == 0 ? 4 - head.size() : connection.missing;
    const auto part = text.substr(0, wanted);
    text.remove_prefix(part.size());
    if (connection.missing > 0) take_piece(self, handle, part);
    else if (head += part; head.size() == 4) take_piece(self, handle, std::exchange(head, {}));
  }
}

// What the far end is told by TLS itself belongs to the handshake: nobody gets more to write by
// asking for new keys again and again.
void read_tls(DoorBroker* self, caf::io::connection_handle handle,
              DoorState::Connection& connection, std::string_view bytes) {
  auto& tls = *connection.tls;
  const bool was_open = tls.is_open();
  const auto text = tls.hear(bytes);
  const auto output = tls.output();
  if (!text) {
    say_last(self, handle, output);
    return drop(self, handle, text.what().c_str());
  }
  if (was_open && !output.empty()) return drop(self, handle, "it asks for new keys");
  self->write(handle, output.size(), output.data());
  self->flush(handle);
  if (!was_open && tls.is_open()) {
    if (!tls.speaks_frames()) return drop(self, handle, "it does not say that it means this door");
    connection.binding = tls.binding();
    discharge(self->state, connection, tls_memory_shaking - tls_memory);
  }
  take_text(self, handle, *text);
}

void read(DoorBroker* self, const caf::io::new_data_msg& data) {
  auto& connections = self->state.connections;
  const auto it = connections.find(data.handle);
  if (it == connections.end()) return;
  const std::string_view content(reinterpret_cast<const char*>(data.buf.data()), data.buf.size());
  if (it->second.tls) read_tls(self, data.handle, it->second, content);
  else take_piece(self, data.handle, content);
  // It may have been closed over that.
  if (const auto still = connections.find(data.handle); still != connections.end())
    read_on(self, data.handle, still->second);
}

caf::behavior door_broker(DoorBroker* self, caf::io::network::native_socket socket,
                          const DoorSetup& setup) {
  self->state.setup = setup;
  self->add_doorman(socket);
  self->delayed_send(self, look_around, Wake{});
  return {
      [self](const caf::io::new_connection_msg& connection) { accept(self, connection.handle); },
      [self](const caf::io::new_data_msg& data) { read(self, data); },
      [self](const caf::io::connection_closed_msg& closed) { drop(self, closed.handle); },
      [](const caf::io::acceptor_closed_msg&) {
        spdlog::error("door: the listening socket was closed");
      },
      [self](const DoorReply& answer) { reply(self, answer); },
      [self](const DoorVouched& vouched) { move_to_user(self, vouched); },
      [self](const Wake&) { close_the_slow(self); },
      [self](const caf::io::data_transferred_msg& written) {
        if (self->state.connections.contains(written.handle)) pump(self, written.handle);
      },
  };
}

} // namespace

void serve_door(caf::actor_system& system, int listening, const DoorSetup& setup) {
  system.middleman().spawn_broker(door_broker, listening, setup);
}

} // namespace almanac
