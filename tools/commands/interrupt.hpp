// Ctrl-C while a command waits for an answer.
#pragma once

namespace almanac {

/// A file that can be read from Ctrl-C on, if that is caught: whoever waits looks at it, too.
int interrupt_file();
/// From now on Ctrl-C does not end the process: it is remembered.
void catch_interrupt();
/// The same, and of what ends a session: SIGTERM and SIGHUP.
void catch_end();
/// Which signal came last, 0: none; asking forgets it.
int take_interrupt();

} // namespace almanac
