#include "core/matching/assumption.hpp"

namespace almanac {

void Assumption::start(const Task& task, ReservationKey inside) {
  overlay_.add(entry_of(state_.configuration(), task, inside));
  std::set<std::size_t> hosts;
  for (const auto& grant : task.grants)
    if (const auto* instance = state_.configuration().instance(grant.instance))
      hosts.insert(instance->host_index);
  for (const auto host : hosts) ++starts_[host];
}

void Assumption::drop_holds(const Job& job) {
  if (!without_holds_.insert(job.key).second) return;
  for (const auto& hold : job.holds) overlay_.take_out(entry_of(state_.configuration(), hold));
}

Snapshot Assumption::look() const { return state_.assuming(*this); }

std::int64_t Assumption::starts_on(std::size_t host_index) const {
  const auto it = starts_.find(host_index);
  return it == starts_.end() ? 0 : it->second;
}

} // namespace almanac
