// Clients of an interactive job that wait for its place.
//
// Each is told once: with what attaches it to an attempt, or why there is none. Who owns the job, and
// came by the agent that submitted it, is told only (core/policy/attaching).
#pragma once

#include "actors/interfaces.hpp"
#include "actors/trust/handshake.hpp"

#include <caf/typed_response_promise.hpp>

#include <string>
#include <utility>
#include <vector>

namespace almanac {

class WaitingClients {
public:
  using Promise = caf::typed_response_promise<PlaceForClient>;

  void add(const Caller& client, Promise promise, const Caller& owner);
  bool empty() const { return waiting_.empty(); }
  /// The job has this order: `master` signs that they may attach to it.
  void tell(const session::Launch& order, const Identity& master);
  void refuse(const std::string& why);

private:
  std::vector<std::pair<Caller, Promise>> waiting_;
};

} // namespace almanac
