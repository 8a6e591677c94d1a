// What comes of an input: changes of records, and an answer for who asked.
//
// The changes are at once what is stored, what readers see and what actors act upon:
// nothing leaves before all of it is durable.
#pragma once

#include "core/mail/letter.hpp"
#include "core/planning/counters.hpp"
#include "core/planning/inputs.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace almanac {

/// A line for the person who asked. `trouble`: for the stream of errors.
struct Line {
  std::string text;
  bool trouble = false;
  bool operator==(const Line&) const = default;
};
template <class V> void describe(V& visit, Line& line) {
  visit("text", line.text);
  visit("trouble", line.trouble);
}

struct Answer {
  std::int64_t exit_code = 0;
  std::int64_t number = 0; ///< of the job or reservation that came to be
  std::vector<Line> lines;

  static Answer refusal(std::string text, std::int64_t code = 1) {
    return {code, 0, {{std::move(text), true}}};
  }
  void refuse(std::string text) { ///< one of several things
    exit_code = 1;
    lines.push_back({std::move(text), true});
  }
  bool operator==(const Answer&) const = default;
};
template <class V> void describe(V& visit, Answer& answer) {
  visit("exit_code", answer.exit_code);
  visit("number", answer.number);
  visit("lines", answer.lines);
}

/// What accounting keeps of one task's run (spec/cli.md section 11).
struct AccountingRecord {
  std::int64_t sequence = 0;
  std::int64_t job = 0; ///< key
  std::int64_t job_number = 0;
  std::int64_t task = 0;
  std::string queue, host;
  std::string owner, group;
  std::string job_name, account;
  std::int64_t priority = 0;
  Instant submitted, started, ended;
  std::string pe;
  std::int64_t slots = 1;
  std::string category;
  std::int64_t reservation = 0;
  Instant reservation_submitted;
  ExitRecord record;
  std::string project; ///< "": none
  std::string department;
};
template <class V> void describe(V& visit, AccountingRecord& r) {
  visit("sequence", r.sequence);
  visit("job", r.job);
  visit("job_number", r.job_number);
  visit("task", r.task);
  visit("queue", r.queue);
  visit("host", r.host);
  visit("owner", r.owner);
  visit("group", r.group);
  visit("job_name", r.job_name);
  visit("account", r.account);
  visit("priority", r.priority);
  visit("submitted", r.submitted);
  visit("started", r.started);
  visit("ended", r.ended);
  visit("pe", r.pe);
  visit("slots", r.slots);
  visit("category", r.category);
  visit("reservation", r.reservation);
  visit("reservation_submitted", r.reservation_submitted);
  visit("record", r.record);
  visit("project", r.project);
  visit("department", r.department);
}

using JobPtr = std::shared_ptr<const Job>;
using ReservationPtr = std::shared_ptr<const Reservation>;

struct JobErased {
  std::int64_t key = 0;
};
struct ReservationErased {
  std::int64_t key = 0;
};
struct ObjectErased {
  ObjectKind kind = ObjectKind::cluster_queue;
  std::string name;
};

using Effect = std::variant<JobPtr, JobErased, ReservationPtr, ReservationErased,
                            ConfigurationObject, ObjectErased, HostState, InstanceState, Counters,
                            AccountingRecord, Letter, HostKey>;

struct Decisions {
  std::optional<Answer> answer;
  std::vector<Effect> effects;
  bool pass_wanted = false;             ///< something may start now
  Duration gather;                      ///< the pass may wait so long for others of its kind
  Instant next_turn = Instant::never(); ///< a pass is due then: a calendar turns
  std::vector<std::string> schedule;    ///< lines of the schedule trace
};

/// The state as stored records, in any order.
struct Records {
  std::vector<ConfigurationObject> objects;
  std::vector<HostState> hosts;
  std::vector<HostKey> keys;
  std::vector<InstanceState> instances;
  std::vector<Job> jobs;
  std::vector<Reservation> reservations;
  Counters counters;
};

} // namespace almanac
