// The lease that the master grants this host: while it is kept, tasks with a fence go on
// (core/execution/fence.hpp).
//
// A grant counts from when it was asked for, by the launcher's clock in milliseconds: what is on its
// way for long is worth less. Asking goes on from the registration until a beat finds the host
// unregistered.
#pragma once

#include "actors/ports/launcher.hpp"

#include <cstdint>

namespace almanac {

class AgentLease {
public:
  explicit AgentLease(Launcher& launcher) : launcher_(launcher) {}

  /// The list of tasks goes to the master: its answer is the first grant.
  void ask_with_list() { asked_with_list_ = launcher_.lease_clock(); }
  /// That answer. True if beats have to begin.
  bool granted_with_list();

  session::Renew ask() const { return {launcher_.lease_clock(), {launcher_.nonce()}}; }
  void granted(const session::Renewed& lease) { launcher_.keep_lease(lease.asked); }

  /// At a beat: whether it is asked for again, and another beat follows.
  bool goes_on(bool is_registered) { return beats_ = is_registered; }

private:
  Launcher& launcher_;
  std::int64_t asked_with_list_ = 0;
  bool beats_ = false; ///< the next one is on its way
};

} // namespace almanac
