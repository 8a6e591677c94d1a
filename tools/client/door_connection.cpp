#include "tools/client/door_connection.hpp"

#include "schema/codec.hpp"
#include "schema/door/requests.hpp"
#include "schema/frames.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::size_t largest_reply = 64u << 20;
constexpr std::size_t tls_piece = 16u << 10; // of what is read at once
constexpr std::chrono::seconds shaking_patience{10};

int open_socket(int family, int protocol) {
  return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
}

// 0, or the error's number.
int connect_within(int socket, const sockaddr* address, socklen_t size, const Until& until) {
  constexpr std::chrono::milliseconds retry{20};
  while (::connect(socket, address, size) != 0) {
    if (errno == EAGAIN) { // a Unix door whose queue is full
      if (!pause_for(retry, until)) return ETIMEDOUT;
      continue;
    }
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    if (!wait_for(socket, POLLOUT, until)) return ETIMEDOUT;
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length);
    return error;
  }
  return 0;
}

Result<int> connect_unix(const std::string& path, const Until& until) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{"the path of the door is too long: " + path};
  std::strcpy(address.sun_path, path.c_str());
  const int socket = open_socket(AF_UNIX, 0);
  const int error = socket < 0 ? errno
                               : connect_within(socket, reinterpret_cast<sockaddr*>(&address),
                                                sizeof address, until);
  if (error == 0) return socket;
  if (socket >= 0) ::close(socket);
  return Error{"can't reach the door " + path + ": " + std::strerror(error)};
}

Result<int> connect_tcp(const DoorAddress& door, const Until& until) {
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
    socket = open_socket(each->ai_family, IPPROTO_TCP);
    error = socket < 0 ? errno : connect_within(socket, each->ai_addr, each->ai_addrlen, until);
    if (error == 0 || socket < 0) continue;
    ::close(socket);
    socket = -1;
  }
  ::freeaddrinfo(found);
  if (socket < 0) return failed(std::strerror(error));
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket;
}

// How many bytes came; 0 if none will.
std::size_t receive_some(int socket, char* into, std::size_t size, const Until& until) {
  for (;;) {
    const auto count = ::recv(socket, into, size, 0);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EAGAIN && !wait_for(socket, POLLIN, until)) return 0;
    if (errno != EINTR && errno != EAGAIN) return 0;
  }
}

} // namespace

std::string random_nonce() {
  std::string bytes(16, '\0');
  check(::getrandom(bytes.data(), bytes.size(), 0) == 16, "the system gives random bytes");
  return bytes;
}

DoorConnection::DoorConnection(int socket, const DoorAddress& door,
                               std::unique_ptr<DoorChannel> channel)
    : socket_(socket), munge_socket_(door.munge_socket), channel_(std::move(channel)) {}

DoorConnection::~DoorConnection() { ::close(socket_); }

DoorConnection::Opened DoorConnection::open(const DoorAddress& door, const std::string& tls_module,
                                            const Until& until) {
  if (!door.path.empty()) {
    const auto socket = connect_unix(door.path, until);
    if (!socket) return {nullptr, socket.what()};
    return {std::unique_ptr<DoorConnection>(new DoorConnection(*socket, door, nullptr)), {}};
  }
  auto channel = open_door_channel(tls_module, door.authority);
  if (!channel) return {nullptr, channel.what(), true};
  const auto socket = connect_tcp(door, until);
  if (!socket) return {nullptr, socket.what()};
  std::unique_ptr<DoorConnection> connection(
      new DoorConnection(*socket, door, std::move(*channel)));
  const auto shaken = connection->shake(until);
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
DoorConnection::Opened DoorConnection::shake(Until until) {
  const auto longest = std::chrono::steady_clock::now() + shaking_patience;
  until.end = std::min(until.end.value_or(longest), longest);
  while (!channel_->is_open()) {
    if (!write(channel_->output(), until)) return {nullptr, "it closes the connection"};
    char bytes[tls_piece];
    const auto count = receive_some(socket_, bytes, sizeof bytes, until);
    if (count == 0 && until.is_over()) return {nullptr, "it does not say in time who it is"};
    if (count == 0)
      return {nullptr, "it closes the connection before it says who it is; is its master of a "
                       "version that speaks no TLS?"};
    auto text = channel_->hear({bytes, count});
    if (!text) {
      write(channel_->output(), until);
      return {nullptr, text.what(), true};
    }
    text_ += *text;
  }
  if (!write(channel_->output(), until)) return {nullptr, "it closes the connection"};
  return {};
}

Result<std::string> DoorConnection::seal(const std::string& request) const {
  if (!channel_) return request;
  door::SealedRequest sealed{{request}, {random_nonce()}, {}};
  auto credential =
      channel_->credential(channel_->binding() + sealed.nonce.content + request, munge_socket_);
  if (!credential) return credential.error();
  sealed.credential = std::move(*credential);
  return encode(sealed);
}

Outcome DoorConnection::send(const std::string& content, const Until& until) {
  auto bytes = door::framed(content);
  if (channel_) {
    if (auto said = channel_->say(bytes); !said) return said;
    bytes = channel_->output();
  }
  if (write(bytes, until)) return Done{};
  return Error{until.is_over() ? "the door does not take the request"
                               : "the door closed the connection"};
}

Result<std::string> DoorConnection::receive(const Until& until) {
  const auto broken = [&] {
    return Error{until.is_over() ? "the door does not answer"
                                 : "the door closed the connection before it answered"};
  };
  door::FrameHead head;
  if (!read(head.data(), head.size(), until)) return broken();
  const auto size = door::frame_length({head.data(), head.size()});
  if (size == 0 || size > largest_reply) return Error{"what the door sent is not an answer"};
  std::string content(size, '\0');
  if (!read(content.data(), size, until)) return broken();
  return content;
}

bool DoorConnection::write(std::string_view bytes, const Until& until) {
  while (!bytes.empty()) {
    const auto count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EINTR && errno != EAGAIN)) return false;
    else if (errno == EAGAIN && !wait_for(socket_, POLLOUT, until)) return false;
  }
  return true;
}

bool DoorConnection::read(char* into, std::size_t size, const Until& until) {
  while (size > 0) {
    std::size_t count = 0;
    if (!channel_) {
      count = receive_some(socket_, into, size, until);
      if (count == 0) return false;
    } else if (!text_.empty()) {
      count = text_.copy(into, size);
      text_.erase(0, count);
    } else if (!hear_more(until)) return false;
    into += count, size -= count;
  }
  return true;
}

bool DoorConnection::hear_more(const Until& until) {
  char bytes[tls_piece];
  const auto count = receive_some(socket_, bytes, sizeof bytes, until);
  if (count == 0) return false;
  auto text = channel_->hear({bytes, count});
  if (!text) return false;
  text_ = std::move(*text);
  return true;
}

} // namespace almanac
