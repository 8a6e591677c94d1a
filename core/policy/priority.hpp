// Who is first: posix priority, urgency and tickets, each normalised and weighted
// (spec/scheduling.md section 3). All in millionths; no floating point.
#pragma once

#include "core/configuration/objects/scheduler_configuration.hpp"
#include "core/job/job.hpp"
#include "core/policy/tickets.hpp"

#include <cstdint>
#include <optional>

namespace almanac {

class Configuration;

/// What the urgency of a job is made of, in millionths.
struct Urgency {
  std::int64_t resources = 0; ///< rrcontr
  std::int64_t waiting = 0;   ///< wtcontr
  std::int64_t deadline = 0;  ///< dlcontr
  std::int64_t sum() const;
};
template <class V> void describe(V& visit, Urgency& u) {
  visit("resources", u.resources);
  visit("waiting", u.waiting);
  visit("deadline", u.deadline);
}

/// Slots to count with before they are granted: those of the range, as the PE says.
std::int64_t assumed_slots(const Configuration& configuration, const JobRequest& request);

/// The part of the urgency that depends on the request alone.
std::int64_t resource_urgency(const Configuration& configuration, const JobRequest& request);
/// What one of the resources that it asks for adds to that.
std::int64_t resource_urgency(const Configuration& configuration, const JobRequest& request,
                              const Attribute& asked);
Urgency urgency_of(const Configuration& configuration, const Job& job, Instant now);

/// The parts of a priority: raw, normalised, and together.
struct Priority {
  Urgency urgency;
  std::int64_t posix = 0;          ///< npprior
  std::int64_t normal_urgency = 0; ///< nurg
  std::int64_t normal_tickets = 0; ///< ntckts
  std::int64_t value = 0;          ///< prio
  Tickets tickets;
};
template <class V> void describe(V& visit, Priority& p) {
  visit("urgency", p.urgency);
  visit("posix", p.posix);
  visit("normal_urgency", p.normal_urgency);
  visit("normal_tickets", p.normal_tickets);
  visit("value", p.value);
  visit("tickets", p.tickets);
}

/// The lowest and the highest urgency among all jobs that wait or run: what they are normalised by.
class UrgencyRange {
public:
  void include(std::int64_t urgency);
  /// 0 to 1'000'000; 500'000 where all are equal.
  std::int64_t normal(std::int64_t urgency) const;

private:
  bool any_ = false;
  std::int64_t lowest_ = 0, highest_ = 0;
};

/// What the parts are measured by: the ranges over all jobs that wait or run.
struct PriorityScale {
  UrgencyRange urgencies;
  std::optional<TicketPolicy> tickets; ///< nothing where all have the same
};

Priority priority_of(const Configuration& configuration, const Job& job, const PriorityScale& scale,
                     Instant now);

} // namespace almanac
