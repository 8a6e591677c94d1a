// Asks the JSV of the cell about jobs before the planner hears of them (jsv_url of sge_conf(5)).
//
// 1. Four are asked about at a time; the users whose jobs wait take turns.
// 2. What a JSV says is checked like what a user says: the request that comes of it is read by the rows
//    of qsub's options, and is still to be found valid.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/job_verifier.hpp"
#include "actors/support.hpp"
#include "core/base/time_zone.hpp"

namespace almanac {

struct VerifiersSetup {
  JobVerifier* verifier = nullptr;
  TimeZone zone; ///< in which it is told dates
  DirectoryActor directory;
  Thread thread = Thread::shared; ///< own: each talk is held in one of its own
};

VerifiersActor spawn_verifiers(caf::actor_system& system, VerifiersSetup setup);

} // namespace almanac
