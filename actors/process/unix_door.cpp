#include "actors/process/unix_door.hpp"

#include "actors/process/users.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace almanac {

namespace {

// Who knocks waits behind those that knocked before, whoever they are: a crowd is not to make that
// long. A client waits for a place in the queue, too.
constexpr int door_queue = 64;

Result<Visitor> kernel_credentials(int socket, const std::string& host) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return Error{std::string("no credentials: ") + std::strerror(errno)};
  return Visitor{Caller{{}, {}, credentials.uid, credentials.gid, host, "unix door"},
                 "uid " + std::to_string(credentials.uid),
                 credentials.uid == 0 ? Share::Rank::first : Share::Rank::ordinary};
}

void give_names(Caller& caller) {
  caller.user = user_name(caller.uid), caller.group = group_name(caller.gid);
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
      ::chmod(beside.c_str(), 0666) != 0 || ::listen(socket, door_queue) != 0 ||
      ::rename(beside.c_str(), path.c_str()) != 0)
    return failed("can't open the door");
  serve_door(system, socket,
             {{taker},
              [host](int connection) { return kernel_credentials(connection, host); },
              give_names});
  return Done{};
}

} // namespace almanac
