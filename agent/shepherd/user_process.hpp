// Between fork and exec: what a process does to become the user's.
//
// Without CAF, in a process with one thread. What can't be done is told through `pipe`, which an
// exec closes, as a ChildFailure; the process then ends. Opening what a user has named may take for
// ever: whoever has forked serves others meanwhile.
#pragma once

#include "actors/process/user_ids.hpp"
#include "core/execution/shepherd_order.hpp"

namespace almanac {

inline UserIds ids_of(const RunAs& as) {
  return {static_cast<uid_t>(as.uid), static_cast<gid_t>(as.gid), as.groups};
}

struct ChildFailure {
  int failed = 0;  ///< of the exit record
  int problem = 0; ///< errno
  char what[400] = {};
};

/// The job's own process: become the user, then open what the user may open.
[[noreturn]] void become_user_process(const ShepherdOrder& order, int pipe);

/// A site's command before or after the job. What it prints goes to `output` and `error`, files
/// that the job's user may write to; to nowhere, where they are none.
[[noreturn]] void become_step(const ShepherdProcess& step, const ShepherdOrder& order,
                              const OutputFile& output, const OutputFile& error, int pipe);

} // namespace almanac
