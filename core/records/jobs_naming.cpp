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
  if (is_there) jobs_.insert(*number, job.key);
  else jobs_.erase(*number, job.key);
}

void JobsNaming::changed(const Job* before, const Job* after) {
  if (before) count(*before, false);
  if (after) count(*after, true);
}

} // namespace almanac
