#include "actors/agent/agent_lease.hpp"

#include <utility>

namespace almanac {

bool AgentLease::granted_with_list() {
  launcher_.keep_lease(asked_with_list_);
  return !std::exchange(beats_, true);
}

} // namespace almanac
