// The file sched_conf of the cell, which says by which keys jobs and nodes are ordered (spec/plus.md
// section 6).
#pragma once

#include "tools/commands/context.hpp"

#include <string>

namespace almanac {

/// The text of such a file, which was found sound. The error names the file, and the line.
Result<std::string> read_sched_conf(const std::string& path);

/// Waits until the master has read this text as the cell's: what it does then goes by it. It is told if
/// that takes longer than 10 s.
void await_sched_conf(Context& context, const std::string& text);

/// Makes it the cell's, as a whole or not at all. The error says why it can't be written on this host.
Outcome write_sched_conf(const Context& context, const std::string& text);

} // namespace almanac
