#include "actors/process/door_broker.hpp"

#include "actors/support.hpp"
#include "schema/codec.hpp"
#include "schema/frames.hpp"

#include <caf/io/broker.hpp>
#include <caf/io/middleman.hpp>

#include <deque>
#include <map>

namespace almanac {

namespace {

constexpr std::size_t most_waiting_output = 256u << 20; // more than that, and the reader is closed
constexpr std::size_t enough_output = 1u << 20;         // more frames are made when this is less
constexpr std::size_t most_connections = 8192;
constexpr std::size_t most_requests = 256; // of one connection in flight
constexpr std::int64_t retry_after_ms = 100;

struct DoorState {
  static inline const char* name = "door";

  // Requests of one connection are answered in their order, whatever order the answers come in.
  struct Waiting {
    std::int64_t number = 0;
    std::vector<std::string> frames;
    std::shared_ptr<EncodedFrames> rest; ///< made as the client reads
    bool done = false;
  };
  struct Connection {
    Caller caller;
    bool reading_length = true;
    std::deque<Waiting> waiting;
  };

  std::map<caf::io::connection_handle, Connection> connections;
  std::map<std::int64_t, caf::io::connection_handle> of_request;
  std::int64_t last_number = 0;
  std::vector<FrameTaker> takers;
  Doorman doorman;
};

using DoorBroker = caf::stateful_actor<DoorState, caf::io::broker>;

void drop(DoorBroker* self, caf::io::connection_handle handle) {
  auto& state = self->state;
  const auto it = state.connections.find(handle);
  if (it == state.connections.end()) return;
  for (const auto& waiting : it->second.waiting) state.of_request.erase(waiting.number);
  state.connections.erase(it);
  self->close(handle);
}

void accept(DoorBroker* self, caf::io::connection_handle handle) {
  auto& state = self->state;
  // In CAF 0.17's default multiplexer a connection's id is its file descriptor.
  auto caller = state.doorman(static_cast<int>(handle.id()));
  if (!caller || state.connections.size() >= most_connections) {
    spdlog::warn("door: a connection was closed: {}",
                 caller ? "there are too many of them" : caller.what());
    self->close(handle);
    return;
  }
  state.connections[handle].caller = std::move(*caller);
  self->configure_read(handle, caf::io::receive_policy::exactly(4));
}

void write_frame(DoorBroker* self, caf::io::connection_handle handle, const std::string& content) {
  const auto head = door::frame_head(content.size());
  self->write(handle, head.size(), head.data());
  self->write(handle, content.size(), content.data());
}

// False while the client has enough to read.
bool write_rest(DoorBroker* self, caf::io::connection_handle handle, DoorState::Waiting& entry) {
  while (entry.rest) {
    if (self->wr_buf(handle).size() > enough_output) return false;
    if (const auto frame = entry.rest->next()) write_frame(self, handle, *frame);
    else entry.rest = nullptr, entry.done = true;
  }
  return true;
}

// Writes what the first requests that wait have got.
void pump(DoorBroker* self, caf::io::connection_handle handle) {
  auto& state = self->state;
  auto& waiting = state.connections.at(handle).waiting;
  bool is_enough = false;
  while (!waiting.empty() && !is_enough) {
    auto& first = waiting.front();
    for (const auto& frame : first.frames) write_frame(self, handle, frame);
    first.frames.clear();
    is_enough = !write_rest(self, handle, first);
    if (!first.done) break;
    state.of_request.erase(first.number);
    waiting.pop_front();
  }
  if (self->wr_buf(handle).size() > most_waiting_output) return drop(self, handle);
  self->ack_writes(handle, is_enough);
  self->flush(handle);
}

void reply(DoorBroker* self, const DoorReply& reply) {
  auto& state = self->state;
  const auto found = state.of_request.find(reply.connection);
  if (found == state.of_request.end()) return; // the client has gone
  const auto handle = found->second;
  auto& waiting = state.connections.at(handle).waiting;
  for (auto& entry : waiting) {
    if (entry.number != reply.connection) continue;
    entry.frames.push_back(reply.content);
    entry.rest = reply.rest;
    entry.done = reply.last;
  }
  pump(self, handle);
}

void read(DoorBroker* self, const caf::io::new_data_msg& data) {
  auto& state = self->state;
  auto it = state.connections.find(data.handle);
  if (it == state.connections.end()) return;
  auto& connection = it->second;
  if (connection.reading_length) {
    const auto length =
        door::frame_length({reinterpret_cast<const char*>(data.buf.data()), data.buf.size()});
    if (length == 0 || length > door::largest_request + 4096) {
      spdlog::warn("door: a frame of {} bytes from uid {} was refused", length,
                   connection.caller.uid);
      return drop(self, data.handle);
    }
    connection.reading_length = false;
    return self->configure_read(data.handle, caf::io::receive_policy::exactly(length));
  }
  connection.reading_length = true;
  self->configure_read(data.handle, caf::io::receive_policy::exactly(4));
  const auto number = ++state.last_number;
  connection.waiting.push_back({number, {}, nullptr, false});
  state.of_request[number] = data.handle;
  if (connection.waiting.size() > most_requests)
    return reply(self, DoorReply{number, encode(door::Reply{true, door::Busy{retry_after_ms}}),
                                 true, nullptr});
  // One connection's frames keep their order: they all go to the same taker.
  const auto& taker =
      state.takers[static_cast<std::size_t>(data.handle.id()) % state.takers.size()];
  self->send(taker,
             DoorFrame{number, connection.caller, std::string(data.buf.begin(), data.buf.end())});
}

caf::behavior door_broker(DoorBroker* self, caf::io::network::native_socket socket,
                          std::vector<FrameTaker> takers, Doorman doorman) {
  self->state.takers = std::move(takers);
  self->state.doorman = std::move(doorman);
  self->add_doorman(socket);
  return {
      [self](const caf::io::new_connection_msg& connection) { accept(self, connection.handle); },
      [self](const caf::io::new_data_msg& data) { read(self, data); },
      [self](const caf::io::connection_closed_msg& closed) { drop(self, closed.handle); },
      [](const caf::io::acceptor_closed_msg&) {
        spdlog::error("door: the listening socket was closed");
      },
      [self](const DoorReply& answer) { reply(self, answer); },
      [self](const caf::io::data_transferred_msg& written) {
        if (self->state.connections.contains(written.handle)) pump(self, written.handle);
      },
  };
}

} // namespace

void serve_door(caf::actor_system& system, int listening, std::vector<FrameTaker> takers,
                Doorman doorman) {
  system.middleman().spawn_broker(door_broker, listening, std::move(takers), std::move(doorman));
}

} // namespace almanac
