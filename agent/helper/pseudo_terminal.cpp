#include "agent/helper/pseudo_terminal.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace almanac {

Result<PseudoTerminal> PseudoTerminal::open(const TerminalSize& size, const UserIds& user) {
  const auto failed = [](const char* what) {
    return Error{std::string("can't ") + what + " a pseudo terminal: " + std::strerror(errno)};
  };
  PseudoTerminal terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  char path[64];
  if (terminal.master_ < 0 || ::grantpt(terminal.master_) != 0 ||
      ::unlockpt(terminal.master_) != 0 || ::ptsname_r(terminal.master_, path, sizeof path) != 0)
    return failed("make");
  // Others may not write to it, as with mesg n.
  if (::geteuid() == 0 &&
      (::chown(path, user.uid, static_cast<gid_t>(-1)) != 0 || ::chmod(path, 0600) != 0))
    return failed("hand over");
  terminal.path_ = path;
  resize_terminal(terminal.master_, size);
  return terminal;
}

PseudoTerminal::PseudoTerminal(PseudoTerminal&& other) noexcept
    : master_(std::exchange(other.master_, -1)), path_(std::move(other.path_)) {}

PseudoTerminal::~PseudoTerminal() {
  if (master_ >= 0) ::close(master_);
}

int PseudoTerminal::release() { return std::exchange(master_, -1); }

void resize_terminal(int master, const TerminalSize& size) {
  winsize window{};
  window.ws_row = static_cast<unsigned short>(size.rows);
  window.ws_col = static_cast<unsigned short>(size.columns);
  if (::ioctl(master, TIOCSWINSZ, &window) != 0) errno = 0; // it stays as it was
}

} // namespace almanac
