// What doors answer, as plain values: a sequence of frames of which the last has `done`.
//
// New alternatives go at the end of a variant: their index is their number on the wire.
#pragma once

#include "core/answer/answer.hpp"
#include "core/configuration/objects/object.hpp"
#include "core/job/accounting_record.hpp"
#include "core/job/attempt.hpp"
#include "core/planning/input_summary.hpp"
#include "core/records/event.hpp"
#include "schema/door/quota_view.hpp"
#include "schema/door/usage_view.hpp"
#include "schema/door/views.hpp"

#include <string>
#include <variant>
#include <vector>

namespace almanac::door {

/// Of an answer; a single record may be larger.
inline constexpr std::size_t largest_frame = 256 << 10;

struct Jobs {
  std::vector<JobView> jobs;
  std::vector<std::string> unknown;
};
template <class V> void describe(V& visit, Jobs& v) {
  visit("jobs", v.jobs);
  visit("unknown", v.unknown);
}

struct Lines {
  std::vector<JobLines> jobs;
  std::string notice{}; ///< of the cell, for whoever looks; ""
};
template <class V> void describe(V& visit, Lines& v) {
  visit("jobs", v.jobs);
  visit("notice", v.notice);
}

struct Reservations {
  std::vector<ReservationView> reservations;
  std::vector<std::string> unknown; ///< what was named and is none
  std::vector<SeriesView> series;   ///< that were named, or asked for
};
template <class V> void describe(V& visit, Reservations& v) {
  visit("reservations", v.reservations);
  visit("unknown", v.unknown);
  visit("series", v.series);
}

struct Cluster {
  std::vector<InstanceView> instances;
  std::vector<HostView> hosts;
  std::string notice{}; ///< of the cell, for whoever looks; ""
};
template <class V> void describe(V& visit, Cluster& v) {
  visit("instances", v.instances);
  visit("hosts", v.hosts);
  visit("notice", v.notice);
}

struct Objects {
  std::vector<ConfigurationObject> objects;
};
template <class V> void describe(V& visit, Objects& v) { visit("objects", v.objects); }

/// Some of the records, oldest first; none at all where a long history has none of that kind.
struct Accounting {
  std::vector<AccountingRecord> records;
  Instant known_since; ///< tasks that ended before are no longer known; 0: all are known
};
template <class V> void describe(V& visit, Accounting& v) {
  visit("records", v.records);
  visit("known_since", v.known_since);
}

struct Actors {
  std::vector<ActorView> actors;
};
template <class V> void describe(V& visit, Actors& v) { visit("actors", v.actors); }

/// Some of the inputs, oldest first; none at all where a long journal has none that is wanted.
struct InputSummaries {
  std::vector<InputSummary> inputs;
  /// The last that was looked at: what comes later is behind it. 0: nothing was, or the master is
  /// of a version that knows no filter and sends one frame of all inputs.
  Sequence read_to;
};
template <class V> void describe(V& visit, InputSummaries& v) {
  visit("inputs", v.inputs);
  visit("read_to", v.read_to);
}

/// Output of a process: an actor's state, or what a job's process wrote.
struct Output {
  Bytes content;
  bool error = false;
  std::int64_t room = 0; ///< so many bytes more of the input of an Inherit may be sent
};
template <class V> void describe(V& visit, Output& v) {
  visit("content", v.content);
  visit("error", v.error);
  visit("room", v.room);
}

struct TracedMessage {
  std::int64_t sequence = 0; ///< since the actor is followed
  std::int64_t at_ms = 0;    ///< since 1970
  std::int64_t sender = 0;   ///< the actor's id; 0: none of this process
  std::string what;
};
template <class V> void describe(V& visit, TracedMessage& v) {
  visit("sequence", v.sequence);
  visit("at_ms", v.at_ms);
  visit("sender", v.sender);
  visit("what", v.what);
}
struct TracedMessages {
  std::vector<TracedMessage> messages;
};
template <class V> void describe(V& visit, TracedMessages& v) { visit("messages", v.messages); }

/// What became of one object. Of the lists that show it as it is now, one has one element, as its
/// kind says; none where it is gone, or of a kind that this version does not know.
struct Change {
  std::int64_t sequence = 0, position = 0; ///< of an input, and the place among its changes
  std::string event;                       ///< JOB_MOD, CQUEUE_ADD, AR_DEL, HOST_LIST, …
  std::string kind;                        ///< JOB, CQUEUE, …
  EventVerb verb = EventVerb::modified;
  std::string id;           ///< a number, or a name; "" of what a cell has one of
  std::string name;         ///< of a job or reservation
  std::vector<JobView> job; ///< without its priority, which changes without an event
  std::vector<ReservationView> reservation;
  std::vector<HostView> host;
  std::vector<InstanceView> instance; ///< what is in use and reserved changes without an event
  std::vector<ConfigurationObject> object;
  std::vector<SeriesView> series;
};
template <class V> void describe(V& visit, Change& v) {
  visit("sequence", v.sequence);
  visit("position", v.position);
  visit("event", v.event);
  visit("kind", v.kind);
  visit("verb", v.verb);
  visit("id", v.id);
  visit("name", v.name);
  visit("job", v.job);
  visit("reservation", v.reservation);
  visit("host", v.host);
  visit("instance", v.instance);
  visit("object", v.object);
  visit("series", v.series);
}

/// A piece of the row of changes. Each object is in it once: steps in between are merged.
struct Changes {
  std::string cursor; ///< Subscribe goes on behind it; "" within a list
  std::vector<Change> changes;
  bool begins_list = false; ///< what was known before counts no more
  bool gone = false;        ///< what came next is not kept: begin anew
};
template <class V> void describe(V& visit, Changes& v) {
  visit("cursor", v.cursor);
  visit("changes", v.changes);
  visit("begins_list", v.begins_list);
  visit("gone", v.gone);
}

/// In the order in which they are shown.
struct Quotas {
  std::vector<QuotaView> rows;
};
template <class V> void describe(V& visit, Quotas& v) { visit("rows", v.rows); }

/// What became of each slot-second. Frames but the last one are empty: much of the past is looked at.
struct UsageReport {
  Window during; ///< what was asked for, as far as it is over and known
  CellUsage cell;
  std::vector<ReservationUsageView> reservations;
};
template <class V> void describe(V& visit, UsageReport& v) {
  visit("during", v.during);
  visit("cell", v.cell);
  visit("reservations", v.reservations);
}

/// Where an interactive job has its place, and the master's word for its client; all of it goes into
/// an Attach.
struct Attachment {
  std::string host, address;
  Attempt attempt;
  Bytes credential, signature;
};
template <class V> void describe(V& visit, Attachment& v) {
  visit("host", v.host);
  visit("address", v.address);
  visit("attempt", v.attempt);
  visit("credential", v.credential);
  visit("signature", v.signature);
}

/// RESKEY of a reservation: nothing else shows the secret in it.
struct KeyOfReservation {
  std::string text;
};
template <class V> void describe(V& visit, KeyOfReservation& v) { visit("text", v.text); }

/// Too much in flight: ask again later, with the same id.
struct Busy {
  std::int64_t retry_after_ms = 0;
};
template <class V> void describe(V& visit, Busy& v) { visit("retry_after_ms", v.retry_after_ms); }

using ReplyBody = std::variant<Answer, Jobs, Reservations, Cluster, Objects, Accounting, Actors,
                               Output, Busy, InputSummaries, Lines, TracedMessages, Changes, Quotas,
                               UsageReport, Attachment, KeyOfReservation>;

struct Reply {
  bool done = true;
  ReplyBody body;
};
template <class V> void describe(V& visit, Reply& r) {
  visit("done", r.done);
  visit("body", r.body);
}

} // namespace almanac::door
