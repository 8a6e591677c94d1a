#include "core/planning/questions/trial_cell.hpp"

#include <algorithm>

namespace almanac::rules {

TrialCell::TrialCell(const State& present, const Configuration& next, Instant now)
    : present_(present), now_(now) {
  cell_.restarted(now, present.closures().zone());
  cell_.reconfigure({next, {}, {}, ChangedKinds::all()});
  const auto copy_all = [&]<class R>(const Table<R>& table) {
    for (const auto& [key, record] : table) cell_.put(R(*record));
  };
  copy_all(present.records().all<HostState>());
  copy_all(present.records().all<InstanceState>());
  copy_all(present.records().all<Reservation>());
}

std::size_t records_at_once(const Snapshot& state) {
  return std::clamp<std::size_t>(state.configuration().instances().size(), 10, 500);
}

bool TrialCell::copy_more() {
  const auto most_at_once = records_at_once(present_);
  const auto& tasks = present_.records().all<Task>();
  auto it = tasks.lower_bound(next_);
  for (std::size_t copied = 0; it != tasks.end() && copied < most_at_once; ++it, ++copied) {
    const auto& task = *it->second;
    if (task.grants.empty()) continue;
    if (!cell_.job(task.job)) copy(*present_.job(task.job));
    cell_.put(Task(task));
  }
  if (it == tasks.end()) {
    cell_.refresh_order(now_);
    return false;
  }
  next_ = it->first;
  return true;
}

void TrialCell::copy(const Job& job) {
  auto without_holds = job;
  without_holds.holds.clear();
  cell_.expect(job.request);
  cell_.put(std::move(without_holds));
}

void TrialCell::hold(const Job& job, std::vector<Hold> holds) {
  if (!cell_.job(job.key)) copy(job);
  cell_.set_holds(job.key, std::move(holds));
}

} // namespace almanac::rules
