#include "core/matching/snapshot.hpp"

#include "core/base/wide.hpp"
#include "core/matching/assumption.hpp"
#include "core/matching/instance_condition.hpp"

#include <utility>

namespace almanac {

Cluster::Cluster() {
  for (auto* index : occupancy.all()) records.follow(*index);
  records.follow(bookkeeping);
  records.follow(positions);
  records.follow(quotas);
  records.follow(site_policy);
}

void Cluster::forget_places() {
  closures.forget();
  capacity_indexes.clear();
  suitable.clear();
}

namespace {

template <class R> const R& found_or_none(const Records& records, const KeyOf<R>& key) {
  static const R none;
  const auto* found = records.find<R>(key);
  return found ? *found : none;
}

} // namespace

const Job* Snapshot::job_by_number(JobNumber number) const {
  return job(occupancy().numbers.job(number));
}
const Reservation* Snapshot::reservation_by_number(ReservationNumber number) const {
  return reservation(occupancy().numbers.reservation(number));
}
const HostState& Snapshot::host(const std::string& name) const {
  return found_or_none<HostState>(records(), name);
}
const InstanceState& Snapshot::instance(const InstanceName& name) const {
  return found_or_none<InstanceState>(records(), name);
}
const HostKey& Snapshot::host_key(const std::string& host) const {
  return found_or_none<HostKey>(records(), host);
}

std::int64_t Snapshot::started_lately(std::size_t host_index, Instant now) const {
  const auto assumed = assumption_ ? assumption_->starts_on(host_index) : 0;
  return cluster_->positions.started_lately(host_index, now) + assumed * fixed_point::unit;
}

bool Snapshot::is_aside(JobKey key) const {
  return cluster_->bookkeeping.is_aside(key) || (assumption_ && assumption_->drops_holds_of(key));
}

const Closures& Snapshot::closures() const {
  const auto* assumed = assumption_ ? assumption_->closures() : nullptr;
  return assumed ? *assumed : cluster_->closures;
}

Snapshot Snapshot::assuming(const Assumption& assumption) const {
  auto assuming = *this;
  assuming.assumption_ = &assumption;
  return assuming;
}

const Diagram* Snapshot::seen(const Diagram* of_the_books) const {
  return assumption_ ? assumption_->overlay().at(of_the_books) : of_the_books;
}

std::int64_t Snapshot::used(const Container& container, const Resource& resource,
                            Window window) const {
  const auto* diagram = seen(ledger().find(container, resource));
  return diagram ? diagram->max(window) : 0;
}

const std::vector<char>& Snapshot::healthy() const {
  auto& healthy = cluster_->healthy;
  const auto changes = cluster_->positions.changes();
  if (std::exchange(cluster_->healthy_at, changes) == changes) return healthy;
  healthy.clear();
  for (const auto& instance : configuration().instances())
    healthy.push_back(is_healthy(*this, instance) ? 1 : 0);
  return healthy;
}

std::shared_ptr<const Instances>& Snapshot::suitable(const std::string& name) const {
  constexpr std::size_t most = 1000;
  auto& suitable = cluster_->suitable;
  if (suitable.size() >= most && !suitable.contains(name)) suitable.clear();
  return suitable[name];
}

const CapacityIndex& Snapshot::capacity_index(const Resource& resource) const {
  auto& indexes = cluster_->capacity_indexes;
  const auto* firm = firm_ledger();
  if (std::exchange(cluster_->indexed_firm, firm) != firm) indexes.clear();
  const auto it = indexes.find(resource);
  if (it != indexes.end()) return it->second;
  return indexes
      .emplace(resource,
               CapacityIndex(configuration(), resource, ledger(), firm, &promised_ledger()))
      .first->second;
}

} // namespace almanac
