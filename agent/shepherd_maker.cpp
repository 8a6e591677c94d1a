#include "agent/shepherd_maker.hpp"

#include "agent/shepherd/request.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

extern char** environ;

namespace almanac {

namespace {

Error failed(const std::string& what) { return {"can't " + what + ": " + std::strerror(errno)}; }

// A file without a name, or -1.
int order_file(const std::string& content) {
  const int file = ::memfd_create("order", MFD_CLOEXEC);
  if (file < 0 ||
      ::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()))
    return file;
  ::close(file);
  return -1;
}

} // namespace

ShepherdMaker::~ShepherdMaker() { stop(); }

void ShepherdMaker::stop() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

Outcome ShepherdMaker::make(const std::string& folder, int control, const ShepherdOrder& order) {
  const int file = order_file(print_shepherd_order(order));
  if (file < 0) return failed("hand over the order of " + folder);
  const ShepherdRequest request{folder, control, file};
  auto sent = Outcome(Done{});
  if (socket_ < 0 || !send_request(socket_, request)) {
    // It has not been started yet, or somebody has ended it.
    stop();
    sent = start();
    if (sent && !send_request(socket_, request)) sent = failed("reach " + program_);
  }
  ::close(file);
  return sent;
}

Outcome ShepherdMaker::start() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return failed("make a socket");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 3);
  posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  char* const arguments[]{const_cast<char*>(program_.c_str()), const_cast<char*>(spool_.c_str()),
                          nullptr};
  pid_t pid = 0;
  const int problem =
      ::posix_spawn(&pid, program_.c_str(), &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(ends[1]);
  socket_ = ends[0];
  if (problem == 0) return Done{};
  stop();
  errno = problem;
  return failed("start " + program_);
}

} // namespace almanac
