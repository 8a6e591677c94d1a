// Signals that a command catches, and waits for with everything else: a file becomes readable when one
// comes.
//
// Threads: the handler may run on any of them; everything else belongs to the one that waits.
#pragma once

#include <csignal>

namespace almanac {

/// Has to live as long as the process: the handler reaches it to the end.
class CaughtSignals {
public:
  constexpr CaughtSignals() = default;
  CaughtSignals(const CaughtSignals&) = delete;
  CaughtSignals& operator=(const CaughtSignals&) = delete;

  /// An eventfd that can be read once one of them has come; never closed.
  int file();
  /// From now on this signal is one of them, and no other object's.
  void add(int signal);
  /// Which of them came last, 0: none; asking forgets it.
  int take();

private:
  static void handle(int signal);

  int file_ = -1;
  volatile std::sig_atomic_t last_ = 0;
};

} // namespace almanac
