#include "tools/client/door_connection.hpp"

#include "schema/frames.hpp"
#include "tools/client/interrupt.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::size_t largest_reply = 64u << 20;
constexpr std::size_t tls_piece = 16u << 10; // of what is read at once
constexpr std::chrono::seconds shaking_patience{10};

Result<int> connect_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{"the path of the door is too long: " + path};
  std::strcpy(address.sun_path, path.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket >= 0 && ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
    return socket;
  const Error error{"can't reach the door " + path + ": " + std::strerror(errno)};
  if (socket >= 0) ::close(socket);
  return error;
}

Result<int> connect_tcp(const DoorAddress& door) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const auto failed = [&](const char* why) {
    return Error{"can't reach the door " + door.print() + ": " + why};
  };
  if (const int problem = ::getaddrinfo(door.host.c_str(), door.port.c_str(), &hints, &found))
    return failed(::gai_strerror(problem));
  int socket = -1, error = 0;
  for (const auto* each = found; each && socket < 0; each = each->ai_next) {
    socket = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
    if (socket < 0 || ::connect(socket, each->ai_addr, each->ai_addrlen) == 0) continue;
    error = errno;
    ::close(socket);
    socket = -1;
  }
  ::freeaddrinfo(found);
  if (socket < 0) return failed(std::strerror(error));
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket;
}

// How many bytes came; 0 if none will, or Ctrl-C did.
std::size_t receive_some(int socket, char* into, std::size_t size) {
  for (;;) {
    wait_for_bytes(socket);
    if (was_interrupted()) return 0;
    const auto count = ::recv(socket, into, size, 0);
    if (count >= 0 || errno != EINTR) return static_cast<std::size_t>(std::max<ssize_t>(0, count));
  }
}

} // namespace

DoorConnection::DoorConnection(int socket, std::unique_ptr<DoorChannel> channel)
    : socket_(socket), channel_(std::move(channel)) {}

DoorConnection::~DoorConnection() { ::close(socket_); }

DoorConnection::Opened DoorConnection::open(const DoorAddress& door) {
  if (!door.path.empty()) {
    const auto socket = connect_unix(door.path);
    if (!socket) return {nullptr, socket.what()};
    return {std::unique_ptr<DoorConnection>(new DoorConnection(*socket, nullptr)), {}};
  }
  auto channel = open_door_channel(door.authority);
  if (!channel) return {nullptr, channel.what(), true};
  const auto socket = connect_tcp(door);
  if (!socket) return {nullptr, socket.what()};
  std::unique_ptr<DoorConnection> connection(new DoorConnection(*socket, std::move(*channel)));
  const auto shaken = connection->shake();
  if (shaken.why.empty()) return {std::move(connection), {}};
  if (!shaken.is_hopeless)
    return {nullptr, "can't reach the door " + door.print() + ": " + shaken.why};
  return {nullptr,
          "the door " + door.print() +
              " can't prove that it is the master of this cell: " + shaken.why +
              ". Nothing was sent to it. If the cell or its authority is new, copy "
              "doors and doors.pem once more from the directory of the cell on the master's host",
          true};
}

// What the far end says wrongly it will say again; where it says nothing, another time may be
// better.
DoorConnection::Opened DoorConnection::shake() {
  const auto until = std::chrono::steady_clock::now() + shaking_patience;
  while (!channel_->is_open()) {
    if (!write(channel_->output())) return {nullptr, "it closes the connection"};
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    char bytes[tls_piece];
    if (rest.count() <= 0 || !wait_for_bytes(socket_, rest))
      return {nullptr, "it does not say who it is within ten seconds"};
    const auto count = receive_some(socket_, bytes, sizeof bytes);
    if (count == 0)
      return {nullptr, "it closes the connection before it says who it is; is its master of a "
                       "version that speaks no TLS?"};
    auto text = channel_->hear({bytes, count});
    if (!text) {
      write(channel_->output());
      return {nullptr, text.what(), true};
    }
    text_ += *text;
  }
  if (!write(channel_->output())) return {nullptr, "it closes the connection"};
  return {};
}

Outcome DoorConnection::send(const std::string& content) {
  auto bytes = door::framed(content);
  if (channel_) {
    if (auto said = channel_->say(bytes); !said) return said;
    bytes = channel_->output();
  }
  if (!write(bytes)) return Error{"the door closed the connection"};
  return Done{};
}

Result<std::string> DoorConnection::receive() {
  door::FrameHead head;
  std::string content;
  bool is_whole = read(head.data(), head.size());
  if (is_whole) {
    auto size = door::frame_length({head.data(), head.size()});
    if (size > largest_reply) size = 0;
    content.resize(size);
    is_whole = size > 0 && read(content.data(), size);
  }
  if (!is_whole) return Error{"the door closed the connection before it answered"};
  return content;
}

bool DoorConnection::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool DoorConnection::read(char* into, std::size_t size) {
  while (size > 0) {
    std::size_t count = 0;
    if (!channel_) {
      count = receive_some(socket_, into, size);
      if (count == 0) return false;
    } else if (!text_.empty()) {
      count = text_.copy(into, size);
      text_.erase(0, count);
    } else if (!hear_more()) return false;
    into += count, size -= count;
  }
  return true;
}

bool DoorConnection::hear_more() {
  char bytes[tls_piece];
  const auto count = receive_some(socket_, bytes, sizeof bytes);
  if (count == 0) return false;
  auto text = channel_->hear({bytes, count});
  if (!text) return false;
  text_ = std::move(*text);
  return true;
}

} // namespace almanac
