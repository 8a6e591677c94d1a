#include "actors/process/tcp_socket.hpp"

#include "actors/process/addresses.hpp"

#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr int dialing_ms = 5000;

int tcp_socket(const addrinfo& address) {
  return ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
}

// Whether it became connected in time; errno says why not.
bool connects(int socket, const addrinfo& address) {
  if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0) return true;
  if (errno != EINPROGRESS) return false;
  pollfd waiting{socket, POLLOUT, 0};
  errno = ETIMEDOUT;
  if (::poll(&waiting, 1, dialing_ms) != 1) return false;
  int problem = 0;
  socklen_t size = sizeof problem;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &size);
  errno = problem;
  return problem == 0;
}

using AskForAddress = int(int, sockaddr*, socklen_t*);

std::string numeric_address(int socket, AskForAddress* ask) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  char host[NI_MAXHOST] = "";
  if (ask(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0)
    ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host, sizeof host, nullptr, 0,
                  NI_NUMERICHOST);
  return host;
}

} // namespace

Result<int> listen_at(const std::string& address, std::uint16_t port) {
  const auto why = [&](const std::string& reason) {
    return Error{"can't listen at " + address + ":" + std::to_string(port) + ": " + reason};
  };
  const auto found = look_up(address, std::to_string(port), AI_PASSIVE);
  if (!found) return why(found.what());
  const auto& first = **found;
  const int socket = tcp_socket(first);
  const int yes = 1;
  if (socket >= 0 && ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
      ::bind(socket, first.ai_addr, first.ai_addrlen) == 0 && ::listen(socket, 1024) == 0)
    return socket;
  const auto error = why(std::strerror(errno));
  if (socket >= 0) ::close(socket);
  return error;
}

Result<int> dial(const std::string& host, const std::string& port) {
  const auto found = look_up(host, port);
  if (!found) return Error{found.what()};
  std::string why = "it has no address";
  for (const addrinfo* address = found->get(); address; address = address->ai_next) {
    const int socket = tcp_socket(*address);
    if (socket >= 0 && connects(socket, *address)) return socket;
    why = std::strerror(errno);
    if (socket >= 0) ::close(socket);
  }
  return Error{why};
}

std::uint16_t port_of(int socket) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size);
  return ntohs(own.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(own).sin6_port
                                         : reinterpret_cast<sockaddr_in&>(own).sin_port);
}

std::string far_address(int socket) { return numeric_address(socket, ::getpeername); }
std::string near_address(int socket) { return numeric_address(socket, ::getsockname); }

} // namespace almanac
