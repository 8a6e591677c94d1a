// Named places where tests end the process: ALMANAC_CRASH_AT=name[:n[:abort]] at the n-th time
// (default the first), with SIGKILL or as by its own fault.
#pragma once

namespace almanac {

void crash_point(const char* name);

} // namespace almanac
