// What users may do with a job at the agent of one of its hosts. The kernel of that host says who
// asks, and nobody is a manager there.
#pragma once

#include "core/base/caller.hpp"

namespace almanac {

/// Whether somebody may start processes within a job (qrsh -inherit): its owner and root.
inline bool may_start_within(const Caller& caller, const Caller& owner) {
  return caller.uid == owner.uid || caller.uid == 0;
}

} // namespace almanac
