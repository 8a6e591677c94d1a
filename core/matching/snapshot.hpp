// All that a search or a question may look at: the records, and what is derived from them.
#pragma once

#include "core/job/job.hpp"
#include "core/job/task.hpp"
#include "core/matching/capacity_index.hpp"
#include "core/matching/closures.hpp"
#include "core/matching/known_nodes.hpp"
#include "core/matching/positions.hpp"
#include "core/policy/quota_counters.hpp"
#include "core/policy/site_policy.hpp"
#include "core/records/bookkeeping.hpp"
#include "core/records/occupancy.hpp"
#include "core/records/records.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

using Instances = std::vector<const QueueInstance*>;

/// The records with all that follows them. They point into each other: it stays where it is.
struct Cluster {
  Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  /// After reconfigure() of the records: forgets what points into the configuration.
  void forget_places();

  Records records;
  Books books;
  Occupancy occupancy{records};
  Bookkeeping bookkeeping{records, books};
  Positions positions{records};
  Closures closures{&occupancy.maintenances};
  QuotaCounters quotas{records};
  SitePolicy site_policy;

  // Made when asked for.
  mutable std::vector<char> healthy;
  mutable std::uint64_t healthy_at = 0; ///< changes of positions that it is made of
  mutable std::map<Resource, CapacityIndex> capacity_indexes; ///< by what is booked
  mutable const Ledger* indexed_firm = nullptr;               ///< what they point into
  mutable std::map<std::string, std::shared_ptr<const Instances>> suitable;
  mutable std::optional<KnownNodes> known_nodes;
};

class Assumption;

class Snapshot {
public:
  explicit Snapshot(const Cluster& cluster) : cluster_(&cluster) {}

  const Records& records() const { return cluster_->records; }
  const Configuration& configuration() const { return records().configuration(); }
  const Counters& counters() const { return records().counters(); }
  const Table<Job>& jobs() const { return records().all<Job>(); }
  Listing<Reservation> reservations() const {
    return Listing<Reservation>(records().all<Reservation>());
  }
  /// Whether any reservation is more than a record of what was.
  bool are_any_reserved() const {
    return records().all<Reservation>().size() > occupancy().past.size();
  }
  Listing<Task> tasks() const { return Listing<Task>(records().all<Task>()); }

  const Job* job(JobKey key) const { return records().find<Job>(key); }
  const Job* job_by_number(JobNumber number) const;
  const Task* task(const TaskId& id) const { return records().find<Task>(id); }
  /// Those of the job that have records.
  Listing<Task> tasks_of(JobKey key) const { return records().tasks_of(key); }
  const TaskTally& tally(JobKey key) const { return cluster_->occupancy.tallies.of(key); }
  const Reservation* reservation(ReservationKey key) const {
    return records().find<Reservation>(key);
  }
  const Reservation* reservation_by_number(ReservationNumber number) const;
  const Series* series(ReservationNumber number) const { return records().find<Series>(number); }
  const HostState& host(const std::string& name) const; ///< a default one where nothing is stored
  const InstanceState& instance(const InstanceName& name) const; ///< likewise
  const HostKey& host_key(const std::string& host) const;        ///< likewise
  const HostState& host_of(const QueueInstance& instance) const {
    return cluster_->positions.host_of(instance);
  }
  const InstanceState& condition_of(const QueueInstance& instance) const {
    return cluster_->positions.condition_of(instance);
  }

  // ---- what the records imply -----------------------------------------------------------------

  const Occupancy& occupancy() const { return cluster_->occupancy; }
  /// Job and task of all that hold something on the host, ascending.
  std::set<TaskId> tasks_on(const std::string& host) const {
    return cluster_->positions.tasks_on(host);
  }
  /// Tasks started lately on the host, in millionths of a task.
  std::int64_t started_lately(std::size_t host_index, Instant now) const;
  const InstanceOrder& instance_order() const { return cluster_->positions.order; }
  const Closures& closures() const;
  /// By position: whether something may be held there; it is neither off nor out of reach.
  const std::vector<char>& healthy() const;
  /// Instances without a lasting obstacle, by what decides that (class_request): many classes share
  /// them.
  std::shared_ptr<const Instances>& suitable(const std::string& name) const;

  /// What is used of the limits of quota sets.
  const QuotaCounters& quotas() const { return cluster_->quotas; }

  /// The site's own conditions on reservations by hosts.
  const SitePolicy& site_policy() const { return cluster_->site_policy; }
  /// What known_nodes() has made last, and how often what it depends on has changed.
  std::optional<KnownNodes>& kept_nodes() const { return cluster_->known_nodes; }
  std::pair<std::uint64_t, std::uint64_t> place_changes() const {
    return {cluster_->positions.changes(), cluster_->positions.task_changes()};
  }

  // ---- the books ------------------------------------------------------------------------------

  const Books& books() const { return cluster_->books; }
  const Ledger& ledger() const { return books().whole(); }
  const Ledger* firm_ledger() const { return books().firm(); }
  const Ledger* reserved_ledger() const { return books().reserved(); }
  /// What reservations have, whether it makes a difference to holds or not.
  const Ledger& promised_ledger() const { return books().promised(); }
  const Ledger& ledger_of(ReservationKey key) const { return books().inside(key); }
  const Diagram& all_slots() const { return books().all_slots(); }
  /// Where a resource of the cluster is; see CapacityIndex.
  const CapacityIndex& capacity_index(const Resource& resource) const;
  /// Whether the holds of the job are out of the books for a while.
  bool is_aside(JobKey key) const;

  // ---- what if --------------------------------------------------------------------------------

  /// The same under an assumption, as long as that lives.
  Snapshot assuming(const Assumption& assumption) const;
  /// What is to be looked at instead of a diagram of the books.
  const Diagram* seen(const Diagram* of_the_books) const;
  /// What is to be looked at in addition where spare hosts lie (books.hpp); else nullptr.
  const Diagram* seen_with_spares(const Diagram* of_the_books) const {
    const auto* second = books().with_spares(of_the_books);
    return second ? seen(second) : nullptr;
  }
  /// What jobs that start before reservations that preempt look at instead.
  const Diagram* seen_before_preempting(const Diagram* of_the_books) const {
    const auto* third = books().without_preempting(of_the_books);
    return third ? seen(third) : seen(of_the_books);
  }
  /// At the most during the window, without what is kept for spare hosts.
  std::int64_t used(const Container& container, const Resource& resource, Window window) const;

private:
  const Cluster* cluster_;
  const Assumption* assumption_ = nullptr;
};

} // namespace almanac
