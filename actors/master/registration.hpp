// What the planner is asked when the agent of a host comes, and what is made of its decision.
#pragma once

#include "actors/messages.hpp"
#include "core/planning/decisions.hpp"
#include "core/planning/state.hpp"

namespace almanac {

/// The input. Attempts that the records do not know may be of jobs with higher keys than theirs.
HostRegistered registration_of(const RegisterHost& news);

/// What the host's actor hears, once the decision is durable. `alarm_before`: when there was an alarm
/// about the host's key last, before it was decided.
HostTasks known_tasks(const RegisterHost& news, const State& state, const Decisions& decisions,
                      Instant alarm_before);

/// The host's actor, or why a session with this claim does not reach it. `host`: nobody if it is
/// not an exec host.
FoundHost found_host(const GetHost& query, caf::strong_actor_ptr host, const HostKey& known,
                     Instant now);

} // namespace almanac
