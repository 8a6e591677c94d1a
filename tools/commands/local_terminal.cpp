#include "tools/commands/local_terminal.hpp"

#include "tools/commands/caught_signals.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace almanac {

namespace {

constinit CaughtSignals size_changes;

} // namespace

TerminalSize LocalTerminal::size() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    winsize window{};
    if (::ioctl(file, TIOCGWINSZ, &window) == 0) return {window.ws_row, window.ws_col};
  }
  return {0, 0};
}

int LocalTerminal::resized() {
  size_changes.add(SIGWINCH);
  return size_changes.file();
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
