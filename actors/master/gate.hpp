// Behind all doors: one gate decodes what comes in and encodes what goes out.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/master/hook_trust.hpp"
#include "actors/master/reservation_claims.hpp"
#include "actors/ports/accounts.hpp"

namespace almanac {

/// What looks at jobs before the planner does (jsv_url).
struct GateVerifiers {
  VerifiersActor actor{}; ///< or none
  JsvTrust distrust{};
};

/// `uid_of`: of users on this machine, for whom others ask; nullptr: none is known.
GateActor spawn_gate(caf::actor_system& system, const DirectoryActor& directory,
                     const ViewsActor& views, const ArchiveActor& archive, const FeedActor& feed,
                     const PricerActor& pricer, HookTrust distrust = {},
                     GateVerifiers verifiers = {}, SharedKeys keys = nullptr,
                     UidOf uid_of = nullptr);

} // namespace almanac
