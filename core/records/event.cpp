#include "core/records/event.hpp"

#include "core/base/fingerprint.hpp"
#include "core/records/kinds.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

using Of = EventKind::Of;

std::string_view prefix_of(ObjectKind kind) {
  switch (kind) {
  case ObjectKind::cluster_queue: return "CQUEUE";
  case ObjectKind::exec_host: return "EXECHOST";
  case ObjectKind::host_group: return "HGROUP";
  case ObjectKind::parallel_environment: return "PE";
  case ObjectKind::complex: return "CENTRY";
  case ObjectKind::userset: return "USERSET";
  case ObjectKind::managers: return "MANAGER";
  case ObjectKind::operators: return "OPERATOR";
  case ObjectKind::global_configuration:
  case ObjectKind::local_configuration: return "CONFIG";
  case ObjectKind::scheduler_configuration: return "SCHED_CONF";
  case ObjectKind::orphan: return "ORPHAN";
  case ObjectKind::calendar: return "CALENDAR";
  case ObjectKind::project: return "PROJECT";
  case ObjectKind::user: return "USER";
  case ObjectKind::admin_hosts: return "ADMINHOST";
  case ObjectKind::submit_hosts: return "SUBMITHOST";
  case ObjectKind::quota_set: return "RQS";
  case ObjectKind::checkpoint: return "CKPT";
  }
  return "";
}

std::string_view suffix_of(EventVerb verb) {
  switch (verb) {
  case EventVerb::modified: return "_MOD";
  case EventVerb::added: return "_ADD";
  case EventVerb::removed: return "_DEL";
  case EventVerb::listed: return "_LIST";
  }
  return "";
}

// What is only proposed, or is kept for qrstat's past, is not shown (spec/reservations.md 4.1).
bool is_shown(const Reservation* reservation) {
  return reservation && reservation->phase != ReservationPhase::proposed &&
         reservation->phase != ReservationPhase::expired;
}

// Whether state and shape are what they were. What is prepared is nobody's affair but its owner's,
// and one that is over gives back what it held with each of its jobs (spec/reservations.md R14.6).
bool looks_the_same(const Reservation& a, const Reservation& b) {
  return a.phase == b.phase && a.bad == b.bad && a.note == b.note &&
         a.shape.window == b.shape.window && a.shape.grants == b.shape.grants &&
         a.shape.users == b.shape.users && a.shape.pe == b.shape.pe &&
         a.shape.spares == b.shape.spares && a.left_behind == b.left_behind &&
         (b.is_over() || a.shape.bookings == b.shape.bookings) &&
         fingerprint(a.request) == fingerprint(b.request);
}

std::optional<EventVerb> verb_of(bool was, bool is) {
  if (!was && !is) return std::nullopt;
  return !was ? EventVerb::added : is ? EventVerb::modified : EventVerb::removed;
}

Event change_of_host(std::string name) {
  return {{Of::host, {}}, EventVerb::modified, 0, 0, std::move(name)};
}

} // namespace

// ---- names ------------------------------------------------------------------------------------

std::string_view prefix_of(EventKind kind) {
  switch (kind.of) {
  case Of::object: return prefix_of(kind.object);
  case Of::job: return "JOB";
  case Of::reservation: return "AR";
  case Of::host: return "HOST";
  case Of::instance: return "INSTANCE";
  case Of::series: return "SERIES";
  }
  return "";
}

std::string event_name(EventKind kind, EventVerb verb) {
  return std::string(prefix_of(kind)) + std::string(suffix_of(verb));
}

const std::vector<EventKind>& event_kinds() {
  static const std::vector<EventKind> all = [] {
    std::vector<EventKind> kinds{
        {Of::job, {}}, {Of::reservation, {}}, {Of::host, {}}, {Of::instance, {}}, {Of::series, {}}};
    for (int kind = 0; kind <= static_cast<int>(last_of<ObjectKind>); ++kind)
      kinds.push_back({Of::object, static_cast<ObjectKind>(kind)});
    return kinds;
  }();
  return all;
}

std::optional<EventKind> event_kind(std::string_view word) {
  for (const auto& kind : event_kinds())
    if (equal_ignoring_case(prefix_of(kind), word)) return kind;
  return std::nullopt;
}

// ---- what is told of a record -----------------------------------------------------------------

// Hosts come and go with the configuration, and so do instances: their records only change.
std::optional<Event> event_of(const HostState* before, const HostState* after) {
  return change_of_host((after ? after : before)->name);
}
std::optional<Event> event_of(const HostKey* before, const HostKey* after) {
  return change_of_host((after ? after : before)->host);
}
std::optional<Event> event_of(const InstanceState* before, const InstanceState* after) {
  return Event{
      {Of::instance, {}}, EventVerb::modified, 0, 0, (after ? after : before)->name.text()};
}

std::optional<Event> event_of(const Job* before, const Job* after) {
  const auto verb = verb_of(before, after);
  if (!verb) return std::nullopt;
  Event event{{Of::job, {}}, *verb, (after ? after : before)->key.value, 0, {}};
  if (!after) event.number = before->number.value, event.name = before->request->name;
  return event;
}

std::optional<Event> event_of(const Task* before, const Task* after) {
  return Event{{Of::job, {}}, EventVerb::modified, (after ? after : before)->job.value, 0, {}};
}

std::optional<Event> event_of(const Reservation* before, const Reservation* after) {
  const auto verb = verb_of(is_shown(before), is_shown(after));
  if (!verb || (verb == EventVerb::modified && looks_the_same(*before, *after)))
    return std::nullopt;
  Event event{{Of::reservation, {}}, *verb, (after ? after : before)->key.value, 0, {}};
  // spec/reservations.md R14.7: AR_DEL carries id and name.
  if (verb == EventVerb::removed)
    event.number = before->number.value, event.name = before->request.name;
  return event;
}

std::optional<Event> event_of(const SettledTransaction*, const SettledTransaction*) {
  return std::nullopt;
}

std::optional<Event> event_of(const ClaimChallenge*, const ClaimChallenge*) { return std::nullopt; }

namespace {

// When it is looked at again, and how far it has been, is nobody's affair.
bool looks_the_same(const Series& a, const Series& b) {
  const auto same = [](const Conflict& one, const Conflict& other) {
    return one.occurrence == other.occurrence && one.why == other.why;
  };
  return fingerprint(a.request) == fingerprint(b.request) && a.recurrence == b.recurrence &&
         std::equal(a.conflicts.begin(), a.conflicts.end(), b.conflicts.begin(), b.conflicts.end(),
                    same);
}

} // namespace

std::optional<Event> event_of(const Series* before, const Series* after) {
  const auto verb = verb_of(before, after);
  if (!verb || (verb == EventVerb::modified && looks_the_same(*before, *after)))
    return std::nullopt;
  Event event{{Of::series, {}}, *verb, (after ? after : before)->number.value, 0, {}};
  if (verb == EventVerb::removed)
    event.number = before->number.value, event.name = before->request.name;
  return event;
}

// Who writes such a file looks at it there.
std::optional<Event> event_of(const SiteFile*, const SiteFile*) { return std::nullopt; }

EventVerb merged(EventVerb earlier, EventVerb later) {
  return later == EventVerb::modified ? earlier : later;
}

} // namespace almanac
