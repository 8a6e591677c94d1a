#include "actors/process/unix_door.hpp"

#include "actors/support.hpp"
#include "schema/door_messages.hpp"

#include <caf/io/broker.hpp>
#include <caf/io/middleman.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <grp.h>
#include <map>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::size_t most_waiting_output = 16u << 20; // a reader that lets more pile up is closed

// In CAF 0.17's default multiplexer a connection's id is its file descriptor.
Result<ucred> kernel_credentials(caf::io::connection_handle handle) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(static_cast<int>(handle.id()), SOL_SOCKET, SO_PEERCRED, &credentials, &size) !=
      0)
    return Error{std::string("no credentials: ") + std::strerror(errno)};
  return credentials;
}

std::string user_name(uid_t uid) {
  passwd entry{};
  passwd* found = nullptr;
  char buffer[4096];
  if (::getpwuid_r(uid, &entry, buffer, sizeof buffer, &found) == 0 && found) return found->pw_name;
  return std::to_string(uid);
}
std::string group_name(gid_t gid) {
  group entry{};
  group* found = nullptr;
  char buffer[16384];
  if (::getgrgid_r(gid, &entry, buffer, sizeof buffer, &found) == 0 && found) return found->gr_name;
  return std::to_string(gid);
}

struct DoorState {
  static inline const char* name = "unix-door";

  // Requests of one connection are answered in their order, whatever order the answers come in.
  struct Waiting {
    std::int64_t number = 0;
    std::vector<std::string> frames;
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
  FrameTaker taker;
  std::string host;
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
  auto credentials = kernel_credentials(handle);
  if (!credentials) {
    spdlog::warn("door: a connection without credentials was closed: {}", credentials.what());
    self->close(handle);
    return;
  }
  auto& connection = self->state.connections[handle];
  connection.caller = {user_name(credentials->uid), group_name(credentials->gid), credentials->uid,
                       credentials->gid, self->state.host};
  self->configure_read(handle, caf::io::receive_policy::exactly(4));
}

void read(DoorBroker* self, const caf::io::new_data_msg& data) {
  auto& state = self->state;
  auto it = state.connections.find(data.handle);
  if (it == state.connections.end()) return;
  auto& connection = it->second;
  if (connection.reading_length) {
    std::size_t length = 0;
    for (const char byte : data.buf) length = length << 8 | static_cast<unsigned char>(byte);
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
  connection.waiting.push_back({number, {}, false});
  state.of_request[number] = data.handle;
  self->send(state.taker,
             DoorFrame{number, connection.caller, std::string(data.buf.begin(), data.buf.end())});
}

void write_frame(DoorBroker* self, caf::io::connection_handle handle, const std::string& content) {
  const auto length = static_cast<std::uint32_t>(content.size());
  const char head[4]{static_cast<char>(length >> 24), static_cast<char>(length >> 16),
                     static_cast<char>(length >> 8), static_cast<char>(length)};
  self->write(handle, sizeof head, head);
  self->write(handle, content.size(), content.data());
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
    entry.done = reply.last;
  }
  while (!waiting.empty()) {
    for (const auto& frame : waiting.front().frames) write_frame(self, handle, frame);
    waiting.front().frames.clear();
    if (!waiting.front().done) break;
    state.of_request.erase(waiting.front().number);
    waiting.pop_front();
  }
  if (self->wr_buf(handle).size() > most_waiting_output) return drop(self, handle);
  self->flush(handle);
}

caf::behavior unix_door(DoorBroker* self, caf::io::network::native_socket socket, FrameTaker taker,
                        std::string host) {
  self->state.taker = std::move(taker);
  self->state.host = std::move(host);
  self->add_doorman(socket);
  return {
      [self](const caf::io::new_connection_msg& connection) { accept(self, connection.handle); },
      [self](const caf::io::new_data_msg& data) { read(self, data); },
      [self](const caf::io::connection_closed_msg& closed) { drop(self, closed.handle); },
      [](const caf::io::acceptor_closed_msg&) {
        spdlog::error("door: the listening socket was closed");
      },
      [self](const DoorReply& answer) { reply(self, answer); },
  };
}

} // namespace

Outcome open_unix_door(caf::actor_system& system, const std::string& path, const FrameTaker& taker,
                       const std::string& host) {
  const auto failed = [&](const char* what) {
    return Error{std::string(what) + " " + path + ": " + std::strerror(errno)};
  };
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Bound beside and renamed: a client never finds the path empty, even if we die right here.
  const auto beside = path + ".new";
  if (beside.size() >= sizeof address.sun_path)
    return Error{"the path of the door is longer than a socket's may be: " + path};
  std::strcpy(address.sun_path, beside.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return failed("can't make the door");
  ::unlink(beside.c_str());
  if (::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(beside.c_str(), 0666) != 0 || ::listen(socket, 1024) != 0 ||
      ::rename(beside.c_str(), path.c_str()) != 0)
    return failed("can't open the door");
  system.middleman().spawn_broker(unix_door, socket, taker, host);
  return Done{};
}

} // namespace almanac
