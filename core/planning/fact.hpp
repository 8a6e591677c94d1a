// What the world tells the planner: how tasks and hosts fare, and that a time has come.
#pragma once

#include "core/base/time_zone.hpp"
#include "core/configuration/objects/reservation_hooks.hpp"
#include "core/host/host.hpp"
#include "core/host/host_key.hpp"
#include "core/job/attempt.hpp"
#include "core/job/process_end.hpp"

#include <string>
#include <vector>

namespace almanac {

struct TaskStarted {
  Attempt attempt;
};
template <class V> void describe(V& visit, TaskStarted& f) { visit("attempt", f.attempt); }

/// The user's process never began. `user_fault`: trying elsewhere would not help (no directory, no
/// such user).
struct LaunchFailed {
  Attempt attempt;
  std::string host;
  bool user_fault = false;
  ExitRecord record;
};
template <class V> void describe(V& visit, LaunchFailed& f) {
  visit("attempt", f.attempt);
  visit("host", f.host);
  visit("user_fault", f.user_fault);
  visit("record", f.record);
}

struct TaskEnded {
  Attempt attempt;
  ExitRecord record; ///< what it says of use is of all its processes
  /// How they ended, its own first, where there was one of qrsh -inherit; agents of earlier versions
  /// tell of none.
  std::vector<ProcessEnd> processes{};
};
template <class V> void describe(V& visit, TaskEnded& f) {
  visit("attempt", f.attempt);
  visit("record", f.record);
  visit("processes", f.processes);
}

/// The agent's machine or spool is a new one: what ran there is gone.
struct TaskLost {
  Attempt attempt;
  std::string host;
};
template <class V> void describe(V& visit, TaskLost& f) {
  visit("attempt", f.attempt);
  visit("host", f.host);
}

/// The agent of the task's first host does not reach that of a part.
struct PartSilent {
  Attempt attempt;
  std::string host;
};
template <class V> void describe(V& visit, PartSilent& f) {
  visit("attempt", f.attempt);
  visit("host", f.host);
}

/// The task's first host has not been heard for so long that the fence of the task has fired there.
struct TaskFenced {
  Attempt attempt;
  std::string host;
};
template <class V> void describe(V& visit, TaskFenced& f) {
  visit("attempt", f.attempt);
  visit("host", f.host);
}

/// The task's process was checkpointed for the first time in this attempt: it can go on from there, even
/// if its host is lost.
struct TaskSaved {
  Attempt attempt;
  std::int64_t process = 0; ///< its number
};
template <class V> void describe(V& visit, TaskSaved& f) {
  visit("attempt", f.attempt);
  visit("process", f.process);
}

struct HostRegistered {
  std::string host;
  HostFacts facts;
  std::int64_t highest_key = 0; ///< of the jobs of this store whose tasks it has
  KeyClaim claim{};
  Rival rival = Rival::none;
};
template <class V> void describe(V& visit, HostRegistered& f) {
  visit("host", f.host);
  visit("facts", f.facts);
  visit("highest_key", f.highest_key);
  visit("claim", f.claim);
  visit("rival", f.rival);
}

/// The link or the lease is lost; with `unknown`, for longer than max_unheard.
struct HostSilent {
  std::string host;
  bool unknown = false;
};
template <class V> void describe(V& visit, HostSilent& f) {
  visit("host", f.host);
  visit("unknown", f.unknown);
}

struct LoadChanged {
  std::string host;
  HostLoad load; ///< quantised
};
template <class V> void describe(V& visit, LoadChanged& f) {
  visit("host", f.host);
  visit("load", f.load);
}

/// A booked end has passed and the task still runs.
struct TaskOverdue {
  Attempt attempt;
};
template <class V> void describe(V& visit, TaskOverdue& f) { visit("attempt", f.attempt); }

/// A start, an end or a held_until has come; which one follows from the record.
struct ReservationDue {
  ReservationKey reservation;
};
template <class V> void describe(V& visit, ReservationDue& f) {
  visit("reservation", f.reservation);
}

/// A hook of a reservation has been run.
struct HookEnded {
  ReservationKey reservation;
  HookEvent event = HookEvent::confirm;
  std::string failure;       ///< a sentence; "": it has succeeded
  std::int64_t sequence = 0; ///< of its call; 0: versions before it did not tell
  std::string said{};        ///< the first line that it wrote to its standard error
};
template <class V> void describe(V& visit, HookEnded& f) {
  visit("reservation", f.reservation);
  visit("event", f.event);
  visit("failure", f.failure);
  visit("sequence", f.sequence);
  visit("said", f.said);
}

/// A file of the site holds this text now (core/configuration/objects/site_file.hpp); "": there is no
/// such file.
struct SiteFileRead {
  std::string name;
  std::string text;
};
template <class V> void describe(V& visit, SiteFileRead& f) {
  visit("name", f.name);
  visit("text", f.text);
}

/// Start what can be started.
struct Pass {};
template <class V> void describe(V&, Pass&) {}

/// The master has started, or begins anew from a checkpoint: caches are gone, records are what they
/// were. Carries what it checked.
struct Restarted {
  Term term;
  std::uint64_t digest = 0;
  bool passes_off = false; ///< after too many crashes: better nothing starts than the next crash
  std::vector<ZoneChange> zone; ///< the master's time zone: calendars are written in its time
  std::string host{};           ///< the master's: an admin and submit host by itself
  bool is_checkpoint = false;   ///< it has not been away
};
template <class V> void describe(V& visit, Restarted& f) {
  visit("term", f.term);
  visit("digest", f.digest);
  visit("passes_off", f.passes_off);
  visit("zone", f.zone);
  visit("host", f.host);
  visit("is_checkpoint", f.is_checkpoint);
}

} // namespace almanac
