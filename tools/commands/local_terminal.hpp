// The terminal of whoever types a command, while a job's terminal takes its place.
//
// Raw: what is typed goes to the job as it is, Ctrl-C too. At the end it is as it was before.
#pragma once

#include "core/job/interaction.hpp"

#include <termios.h>

namespace almanac {

class LocalTerminal {
public:
  ~LocalTerminal();
  LocalTerminal() = default;
  LocalTerminal(const LocalTerminal&) = delete;
  LocalTerminal& operator=(const LocalTerminal&) = delete;

  /// Of the first of the three streams that is a terminal; zeros for none.
  static TerminalSize size();
  /// An eventfd that rings when the size has changed, from now on.
  static int resized();

  /// Does nothing where standard input is no terminal.
  void make_raw();

private:
  bool is_raw_ = false;
  termios before_{};
};

} // namespace almanac
