// A pseudo terminal for a user's process: the process opens it by its path, whoever has the master
// end is at the terminal.
#pragma once

#include "actors/process/user_ids.hpp"
#include "core/base/result.hpp"
#include "core/job/interaction.hpp"

#include <string>

namespace almanac {

class PseudoTerminal {
public:
  /// One that belongs to this user. The error says why there is none.
  static Result<PseudoTerminal> open(const TerminalSize& size, const UserIds& user);
  ~PseudoTerminal();
  PseudoTerminal(PseudoTerminal&& other) noexcept;
  PseudoTerminal& operator=(PseudoTerminal&&) = delete;

  const std::string& path() const { return path_; }
  /// The master end, which does not block; the caller's to close.
  int release();

private:
  explicit PseudoTerminal(int master) : master_(master) {}

  int master_;
  std::string path_;
};

/// Tells whoever runs in it (SIGWINCH).
void resize_terminal(int master, const TerminalSize& size);

} // namespace almanac
