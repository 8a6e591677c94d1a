#include "tools/commands/interrupt.hpp"

#include "tools/commands/caught_signals.hpp"

#include <initializer_list>

namespace almanac {

namespace {

constinit CaughtSignals caught;

} // namespace

int interrupt_file() { return caught.file(); }

void catch_interrupt() { caught.add(SIGINT); }

void catch_end() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) caught.add(signal);
}

int take_interrupt() { return caught.take(); }

} // namespace almanac
