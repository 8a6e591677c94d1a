#include "agent/helper/message.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::size_t most_files = 8;
constexpr std::size_t longest_packet = 32 << 10;
constexpr std::size_t longest_text = 8 << 20; // a script and an order, each of 1 MB at the most
constexpr std::string_view in_a_file = "in a file";

// The room that the kernel asks for beside a packet that carries files.
union BesidePacket {
  cmsghdr head;
  char room[CMSG_SPACE(most_files * sizeof(int))];
};

int nameless_file(const std::string& content) {
  const int file = ::memfd_create("packet", MFD_CLOEXEC);
  if (file < 0 ||
      ::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()))
    return file;
  ::close(file);
  return -1;
}

// Read once, so that its sender may write on as it likes. Only memory: a file on a disk, or of
// somebody's own making, could keep its reader waiting.
std::string content_of(int file) {
  struct stat facts {};
  if (::fcntl(file, F_GET_SEALS) < 0 || ::fstat(file, &facts) != 0 || facts.st_size < 0 ||
      facts.st_size > static_cast<off_t>(longest_text))
    return {};
  std::string content(static_cast<std::size_t>(facts.st_size), '\0');
  const auto size = ::pread(file, content.data(), content.size(), 0);
  content.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return content;
}

bool send_with_files(int socket, std::string_view text, const std::vector<int>& files) {
  iovec piece{const_cast<char*>(text.data()), text.size()};
  BesidePacket beside{};
  msghdr message{};
  message.msg_iov = &piece, message.msg_iovlen = 1;
  if (const auto size = files.size() * sizeof(int); size > 0) {
    message.msg_control = beside.room, message.msg_controllen = CMSG_SPACE(size);
    auto* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(head), files.data(), size);
  }
  ssize_t sent = 0;
  do sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

std::vector<int> files_of(msghdr& message) {
  std::vector<int> files;
  for (auto* head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    files.resize((head->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(files.data(), CMSG_DATA(head), files.size() * sizeof(int));
  }
  return files;
}

} // namespace

bool send_packet(int socket, const std::string& text, const std::vector<int>& files) {
  if (text.size() <= longest_packet) return send_with_files(socket, text, files);
  const int file = nameless_file(text);
  if (file < 0) return false;
  auto all = files;
  all.push_back(file);
  const bool sent = send_with_files(socket, in_a_file, all);
  const int problem = errno;
  ::close(file);
  errno = problem;
  return sent;
}

bool receive_packet(int socket, HelperPacket& packet) {
  // No more memory than it takes: each page that is written to after a fork is copied.
  char first = 0;
  ssize_t room = 0;
  do room = ::recv(socket, &first, 1, MSG_PEEK | MSG_TRUNC);
  while (room < 0 && errno == EINTR);
  if (room <= 0) return false;
  std::string text(std::min(static_cast<std::size_t>(room), longest_packet) + 1, '\0');
  iovec piece{text.data(), text.size()};
  BesidePacket beside{};
  msghdr message{};
  message.msg_iov = &piece, message.msg_iovlen = 1;
  message.msg_control = beside.room, message.msg_controllen = sizeof beside.room;
  ssize_t size = 0;
  do size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  if (size <= 0) return false;
  text.resize(static_cast<std::size_t>(size));
  packet = {std::move(text), files_of(message)};
  if (packet.text == in_a_file && !packet.files.empty()) {
    packet.text = content_of(packet.files.back());
    ::close(packet.files.back());
    packet.files.pop_back();
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) packet.text.clear();
  return true;
}

} // namespace almanac
