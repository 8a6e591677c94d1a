#include "agent/shepherd/request.hpp"

#include <cerrno>
#include <climits>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>

namespace almanac {

namespace {

constexpr std::size_t files = 2;

// The room that the kernel asks for beside a packet that carries the files.
union Beside {
  cmsghdr head;
  char room[CMSG_SPACE(files * sizeof(int))];
};

} // namespace

bool send_request(int socket, const ShepherdRequest& request) {
  iovec piece{const_cast<char*>(request.folder.data()), request.folder.size()};
  Beside beside{};
  msghdr message{};
  message.msg_iov = &piece, message.msg_iovlen = 1;
  message.msg_control = beside.room, message.msg_controllen = sizeof beside.room;
  auto* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(files * sizeof(int));
  const int given[files]{request.control, request.order};
  std::memcpy(CMSG_DATA(head), given, sizeof given);
  ssize_t sent = 0;
  do sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

bool receive_request(int socket, ShepherdRequest& request) {
  char folder[PATH_MAX];
  iovec piece{folder, sizeof folder};
  for (;;) {
    Beside beside{};
    msghdr message{};
    message.msg_iov = &piece, message.msg_iovlen = 1;
    message.msg_control = beside.room, message.msg_controllen = sizeof beside.room;
    const auto size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (size < 0 && errno == EINTR) continue;
    const auto* head = size > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (!head || head->cmsg_len != CMSG_LEN(files * sizeof(int))) return false;
    int given[files];
    std::memcpy(given, CMSG_DATA(head), sizeof given);
    request = {std::string(folder, static_cast<std::size_t>(size)), given[0], given[1]};
    return true;
  }
}

} // namespace almanac
