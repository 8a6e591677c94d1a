#include "core/policy/priority_tally.hpp"

namespace almanac {

void PriorityTally::rebuild(const Records& records) {
  counts_ = {};
  for (const auto& [key, job] : records.all<Job>()) count(job->request, 1);
}

// What a request takes, and how urgent that is.
void PriorityTally::reconfigured(const Records& records, ChangedKinds kinds) {
  if (kinds.has(ObjectKind::complex) || kinds.has(ObjectKind::parallel_environment))
    rebuild(records);
}

bool PriorityTally::agrees(const Records& records) const {
  PriorityTally rebuilt(records);
  rebuilt.rebuild(records);
  return counts_ == rebuilt.counts_;
}

void PriorityTally::changed(const Job* before, const Job* after) {
  if (before && after && &*before->request == &*after->request) return; // most changes
  if (before) count(before->request, -1);
  if (after) count(after->request, 1);
}

bool PriorityTally::knows_urgencies() const {
  return records_.configuration().scheduler().weight_waiting_time <= 0 &&
         counts_.with_deadline == 0;
}

bool PriorityTally::has_tickets() const {
  return counts_.with_tickets > 0 || TicketPolicy::is_used(records_.configuration());
}

UrgencyRange PriorityTally::urgencies(Instant now) const {
  UrgencyRange range;
  if (!knows_urgencies()) {
    for (const auto& [key, job] : records_.all<Job>())
      range.include(urgency_of(records_.configuration(), *job, now).sum());
    return range;
  }
  if (counts_.by_urgency.empty()) return range;
  range.include(counts_.by_urgency.begin()->first);
  range.include(counts_.by_urgency.rbegin()->first);
  return range;
}

void PriorityTally::count(const JobRequest& request, std::int64_t sign) {
  const auto urgency = resource_urgency(records_.configuration(), request);
  if ((counts_.by_urgency[urgency] += sign) == 0) counts_.by_urgency.erase(urgency);
  if (request.deadline.seconds > 0) counts_.with_deadline += sign;
  if (request.override_tickets > 0) counts_.with_tickets += sign;
}

} // namespace almanac
