// What the reporting file is told: of advance reservations (spec/reservations.md section 13.2), and of
// jobs, queue instances and hosts (spec/cli.md C11.14, C11.15).
#pragma once

#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <string>

namespace almanac {

enum class ReportKind : std::uint8_t {
  new_ar,
  ar_attribute,
  ar_log,
  ar_acct,
  new_job,
  job_log,
  acct,
  queue,
  queue_consumable,
  host,
  host_consumable
};
template <> inline constexpr ReportKind last_of<ReportKind> = ReportKind::host_consumable;

/// Of ar_log: the words of spec/reservations.md R13.8, in their order; not_repaired is DELETED, too,
/// and the last two are TERMINATED.
enum class ReportEvent : std::uint8_t {
  created,
  start_time_reached,
  end_time_reached,
  resources_unsatisfied,
  resources_satisfied,
  terminated,
  deleted,
  unknown,
  not_repaired,
  was_idle,
  last_job_left
};
template <> inline constexpr ReportEvent last_of<ReportEvent> = ReportEvent::last_job_left;

/// One line. What its kind does not name is empty.
struct ReportingRecord {
  std::int64_t sequence = 0;
  ReportKind kind = ReportKind::new_ar;
  Instant at; ///< when it happened
  ReservationNumber number;
  Instant submitted;
  std::string owner;         ///< new_ar
  std::string name, account; ///< ar_attribute, and the next three
  Window window;
  std::string pe;                           ///< "": none
  std::string resources;                    ///< likewise; of queues and hosts: name=value,…
  std::string state;                        ///< ar_log: the letter; of queue instances: letters
  ReportEvent event = ReportEvent::unknown; ///< ar_log
  std::string queue, host;                  ///< ar_acct, and of queue instances and hosts
  std::int64_t slots = 0;
  std::int64_t idle_minutes = 0; ///< ar_log: it ended after so many
  std::string text{};            ///< of a job: its fields as they are written, without times
};
template <class V> void describe(V& visit, ReportingRecord& r) {
  visit("sequence", r.sequence);
  visit("kind", r.kind);
  visit("at", r.at);
  visit("number", r.number);
  visit("submitted", r.submitted);
  visit("owner", r.owner);
  visit("name", r.name);
  visit("account", r.account);
  visit("window", r.window);
  visit("pe", r.pe);
  visit("resources", r.resources);
  visit("state", r.state);
  visit("event", r.event);
  visit("queue", r.queue);
  visit("host", r.host);
  visit("slots", r.slots);
  visit("idle_minutes", r.idle_minutes);
  visit("text", r.text);
}

} // namespace almanac
