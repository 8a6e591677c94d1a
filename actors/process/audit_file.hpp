// Where the audit log of a process is written.
//
// 1. Lines are only appended (O_APPEND), whole ones by each write; the file is its owner's (0600).
// 2. A file that was moved away or removed is made anew, so any rotation works without a signal.
// 3. A line that can't be written is an error in the general log, and nothing ends because of it.
#pragma once

#include <string>

namespace almanac {

/// From now on actors/audit.hpp writes to this file.
void start_audit(const std::string& path);

} // namespace almanac
