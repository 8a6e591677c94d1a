// Whatever the master says was once typed by somebody: no terminal may obey it.
#pragma once

#include "schema/door/replies.hpp"

namespace almanac {

/// Makes all texts of a reply printable, so that commands and console can show any of them as they
/// are. Bytes (the output of a process) stay as they are.
void escape(door::ReplyBody& reply);

} // namespace almanac
