#include "core/records/jobs_naming.hpp"

#include "core/records/records.hpp"
#include "core/text/values.hpp"

namespace almanac {

void JobsNaming::rebuild(const Records& records) {
  *this = {};
  for (const auto& [key, job] : records.all<Job>()) changed(nullptr, &*job);
}

void JobsNaming::count(const Job& job, bool is_there) {
  const auto& queues = job.request->queues;
  if (queues.size() != 1 || job.request->reservation) return;
  const auto number = parse_reservation_queue(queues.front());
  if (!number) return;
  if (is_there) return void(jobs_[*number].insert(job.key));
  const auto it = jobs_.find(*number);
  if (it == jobs_.end()) return;
  it->second.erase(job.key);
  if (it->second.empty()) jobs_.erase(it);
}

void JobsNaming::changed(const Job* before, const Job* after) {
  if (before) count(*before, false);
  if (after) count(*after, true);
}

std::vector<JobKey> JobsNaming::of(ReservationNumber number) const {
  const auto it = jobs_.find(number);
  return it == jobs_.end() ? std::vector<JobKey>()
                           : std::vector<JobKey>(it->second.begin(), it->second.end());
}

} // namespace almanac
