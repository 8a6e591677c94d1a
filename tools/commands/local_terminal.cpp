#include "tools/commands/local_terminal.hpp"

#include <cerrno>
#include <csignal>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace almanac {

namespace {

int size_bell = -1; // what the handler of a signal can reach

void ring(int) {
  const int before = errno;
  ::eventfd_write(size_bell, 1);
  errno = before;
}

} // namespace

TerminalSize LocalTerminal::size() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    winsize window{};
    if (::ioctl(file, TIOCGWINSZ, &window) == 0) return {window.ws_row, window.ws_col};
  }
  return {0, 0};
}

int LocalTerminal::resized() {
  if (size_bell < 0) size_bell = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action {};
  action.sa_handler = ring;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGWINCH, &action, nullptr);
  return size_bell;
}

void LocalTerminal::make_raw() {
  if (is_raw_ || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
  auto raw = before_;
  ::cfmakeraw(&raw);
  is_raw_ = ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

LocalTerminal::~LocalTerminal() {
  if (is_raw_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

} // namespace almanac
