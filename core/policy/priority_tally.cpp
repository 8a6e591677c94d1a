#include "core/policy/priority_tally.hpp"

namespace almanac {

void PriorityTally::rebuild(const Records& records) {
  counts_ = {};
  for (const auto& [key, job] : records.all<Job>()) count(job->request, 1);
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

UrgencyRange PriorityTally::urgencies() const {
  UrgencyRange range;
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
