#include "agent/helper/task_folder.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr mode_t finished_mode = 0711;
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

Error trouble_with(const char* name) {
  return {std::string("can't write ") + name + ": " + std::strerror(errno)};
}

// Paths of sockets are short: the folder is reached through its open descriptor.
sockaddr_un control_of(int folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, ("/proc/self/fd/" + std::to_string(folder) + "/control").c_str(),
               sizeof address.sun_path - 1);
  return address;
}

} // namespace

std::string TaskPlaces::name(const Attempt& attempt) {
  return to_string(attempt.job) + "." + std::to_string(attempt.task) + "." +
         std::to_string(attempt.attempt);
}

TaskFolder::TaskFolder(int spool, const std::string& name, std::int64_t call)
    : file_(::openat(spool, name.c_str(), folder_flags)) {
  if (call == 0 || file_ < 0) return;
  // The folders above it are root's own, too: nobody has laid a link into them.
  const int task = file_;
  file_ = ::openat(task, ("calls/" + std::to_string(call)).c_str(), folder_flags);
  ::close(task);
}

TaskFolder::~TaskFolder() {
  if (file_ >= 0) ::close(file_);
}

bool TaskFolder::has(const char* name) const {
  struct stat facts {};
  return ::fstatat(file_, name, &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

int TaskFolder::open(const char* name, int flags) const {
  return ::openat(file_, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

Result<std::string> TaskFolder::read(const char* name) const {
  const int file = open(name, O_RDONLY);
  if (file < 0) return Error{std::string("can't read ") + name + ": " + std::strerror(errno)};
  std::string content;
  char piece[8192];
  for (ssize_t size = 0; (size = ::read(file, piece, sizeof piece)) > 0;)
    content.append(piece, static_cast<std::size_t>(size));
  ::close(file);
  return content;
}

Outcome TaskFolder::write(const char* name, std::string_view content, unsigned mode) const {
  const int file = open(name, O_WRONLY | O_CREAT | O_EXCL);
  if (file < 0) return trouble_with(name);
  const bool written =
      ::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()) &&
      ::fchmod(file, mode) == 0;
  if (::close(file) != 0 || !written) return trouble_with(name);
  return Done{};
}

Outcome TaskFolder::rewrite(const char* name, std::string_view content, unsigned mode) const {
  ::unlinkat(file_, name, 0);
  return write(name, content, mode);
}

Outcome TaskFolder::give(const char* name, const UserIds& user) const {
  if (::geteuid() == 0 && ::fchownat(file_, name, user.uid, user.gid, AT_SYMLINK_NOFOLLOW) != 0)
    return Error{std::string("can't give ") + name + " to its user: " + std::strerror(errno)};
  return Done{};
}

Outcome TaskFolder::finish() const {
  return ::fchmod(file_, finished_mode) == 0 ? Outcome(Done{}) : trouble_with("the task's folder");
}

bool TaskFolder::is_finished() const {
  struct stat facts {};
  return ::fstat(file_, &facts) == 0 && (facts.st_mode & 07777) == finished_mode;
}

bool TaskFolder::remove(int spool, const std::string& name) {
  {
    const TaskFolder folder(spool, name);
    for (const char* file : {"progress", "control", "script", "pe_hostfile", "limit"})
      ::unlinkat(folder.file_, file, 0);
  }
  return ::unlinkat(spool, name.c_str(), AT_REMOVEDIR) == 0;
}

int TaskFolder::listen() const {
  const auto address = control_of(file_);
  const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening < 0) return -1;
  if (::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::chmod(address.sun_path, 0600) == 0 && ::listen(listening, 16) == 0)
    return listening;
  const int problem = errno;
  ::close(listening);
  errno = problem;
  return -1;
}

// At once: one that does not accept any more keeps nobody waiting.
int TaskFolder::connect() const {
  const auto address = control_of(file_);
  const int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (connection >= 0 &&
      ::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return connection;
  if (connection >= 0) ::close(connection);
  return -1;
}

} // namespace almanac
