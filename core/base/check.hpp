// A broken promise of our own: the process says which one and stops, to restart from the journal.
#pragma once

#include <stdexcept>
#include <string>

namespace almanac {

/// Thrown by check(); a daemon ends on it, tests and the simulator report it.
class Bug : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

inline void check(bool holds, const char* promise) {
  if (!holds) throw Bug(std::string("broken promise: ") + promise);
}

} // namespace almanac
