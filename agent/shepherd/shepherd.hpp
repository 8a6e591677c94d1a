// The parent of one process of a user: outlives the agent, enforces limits, records the end.
//
// On its control socket a connection hears "running" once the process runs; it may say k (kill,
// with the notice that the order gives), t (ask to end: the notice, SIGTERM, and SIGKILL when the
// order's time for a notice is over once more), K (kill at once), h (hang up: SIGHUP, and SIGKILL
// ten seconds later), s (stop, with notice), c (continue), l (the file limit of its folder has a
// longer limit for the job's own process, in seconds) and u (it hears a line with what all
// processes have used, progress_file.hpp). The end of the connection means that the end is recorded
// (progress_file.hpp), and durable.
#pragma once

#include "core/execution/shepherd_order.hpp"

namespace almanac {

/// Returns when all is over. `control` listens, `progress` is open to append to. The process has
/// one thread and no other children.
void run_shepherd(const std::string& folder, const ShepherdOrder& order, int control, int progress);

} // namespace almanac
