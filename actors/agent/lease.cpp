#include "actors/agent/lease.hpp"

#include <utility>

namespace almanac {

bool Lease::granted_with_list() {
  launcher_.keep_lease(asked_with_list_);
  return !std::exchange(beats_, true);
}

} // namespace almanac
