// What doors show of the cell: views, each made of records for those who look.
#pragma once

#include "core/host/host_key.hpp"
#include "core/job/job_line.hpp"
#include "core/job/whole_job.hpp"
#include "core/policy/priority.hpp"

#include <string>
#include <vector>

namespace almanac::door {

struct JobView {
  WholeJob job;
  Priority priority;
  std::string department;
};
template <class V> void describe(V& visit, JobView& v) {
  visit("job", v.job);
  visit("priority", v.priority);
  visit("department", v.department);
}

struct JobLines {
  std::int64_t number = 0;
  Priority priority;
  std::string name, user, project, department;
  std::int64_t posix_priority = 0, override_tickets = 0; ///< as they were asked for
  Instant deadline;                                      ///< 0: none
  std::vector<JobLine> lines;
};
template <class V> void describe(V& visit, JobLines& v) {
  visit("number", v.number);
  visit("priority", v.priority);
  visit("name", v.name);
  visit("user", v.user);
  visit("project", v.project);
  visit("department", v.department);
  visit("posix_priority", v.posix_priority);
  visit("override_tickets", v.override_tickets);
  visit("deadline", v.deadline);
  visit("lines", v.lines);
}

/// A line of qstat -F: domain g, h or q; source c (consumable), f (fixed) or l (load).
struct ResourceView {
  std::string kind;
  std::string name;
  std::string value;
};
template <class V> void describe(V& visit, ResourceView& v) {
  visit("kind", v.kind);
  visit("name", v.name);
  visit("value", v.value);
}

struct InstanceView {
  std::string name, queue, host;
  std::string qtype; ///< of B, I, P
  std::string letters;
  std::string reason; ///< of the error state
  std::int64_t sequence = 0;
  std::int64_t reserved = 0;      ///< by reservations that run now
  std::int64_t most_reserved = 0; ///< at any time from now on
  std::int64_t used = 0;
  std::int64_t total = 0;
  std::vector<ResourceView> resources;
};
template <class V> void describe(V& visit, InstanceView& v) {
  visit("name", v.name);
  visit("queue", v.queue);
  visit("host", v.host);
  visit("qtype", v.qtype);
  visit("letters", v.letters);
  visit("reason", v.reason);
  visit("sequence", v.sequence);
  visit("reserved", v.reserved);
  visit("most_reserved", v.most_reserved);
  visit("used", v.used);
  visit("total", v.total);
  visit("resources", v.resources);
}

/// Loads in hundredths, memory in bytes; -1 where not known.
struct HostView {
  HostState state;
  HostLoad load;        ///< as measured last
  std::string notice{}; ///< what is wrong with its agent, in a sentence
  HostKey key{};
};
template <class V> void describe(V& visit, HostView& v) {
  visit("state", v.state);
  visit("load", v.load);
  visit("notice", v.notice);
  visit("key", v.key);
}

struct ActorView {
  std::int64_t id = 0;
  std::string kind;
  std::string name;
  std::int64_t age = 0; ///< seconds
};
template <class V> void describe(V& visit, ActorView& v) {
  visit("id", v.id);
  visit("kind", v.kind);
  visit("name", v.name);
  visit("age", v.age);
}

} // namespace almanac::door
