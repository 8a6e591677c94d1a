// Who may attach to an interactive job (spec/cli.md section 10).
#pragma once

#include "core/policy/standing.hpp"

namespace almanac {

/// Whether streams can go to this caller: agents carry them, the master does not. Who came by no door
/// has no streams anyway.
inline bool may_have_streams(const Caller& caller) {
  return caller.through.empty() || caller.through == agent_on(caller.host);
}

/// Its owner, by the agent that submitted it: what another host says of its users counts for its own
/// jobs only.
inline bool may_attach(const Caller& caller, const Caller& owner) {
  return owns(caller, owner) && caller.host == owner.host && caller.through == owner.through;
}

} // namespace almanac
