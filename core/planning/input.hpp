// Everything that the planner can be told: commands of people, facts of the world, and time.
//
// An input is journaled with its effects before anything comes of it. New alternatives are
// added at the end: their index is their number in the journal.
#pragma once

#include "core/planning/fact.hpp"
#include "core/request/command.hpp"

#include <variant>

namespace almanac {

using Input = std::variant<Command, TaskStarted, LaunchFailed, TaskEnded, TaskLost, HostRegistered,
                           HostSilent, LoadChanged, TaskOverdue, ReservationDue, Pass, Restarted,
                           PartSilent, TaskFenced, HookEnded, TaskSaved, SiteFileRead>;

/// An input as the journal keeps it.
struct JournaledInput {
  Sequence sequence;
  Instant now;
  std::int64_t version = 0; ///< of the planner's rules; replay stops where it changes
  Input input;
  std::uint64_t decision = 0; ///< a fingerprint of what it changed; 0: not recorded
};
template <class V> void describe(V& visit, JournaledInput& j) {
  visit("sequence", j.sequence);
  visit("now", j.now);
  visit("version", j.version);
  visit("input", j.input);
  visit("decision", j.decision);
}

} // namespace almanac
