// Where a request fits in a window: the slots on each instance, and what that books.
//
// The same search places jobs in the cluster, jobs in a reservation (against its private
// supply) and reservations themselves. Source: spec/scheduling.md sections 5 to 7.
#pragma once

#include "core/planning/demand.hpp"
#include "core/planning/reasons.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// What there is: capacities and what is booked of them.
class Supply {
public:
  static Supply of_cluster(const State& state);
  /// The same, and what reservations can count on: jobs without a limit never end in it.
  /// `endless`: neither does what is looked for.
  static Supply of_promises(const State& state, bool endless);
  /// A supply from which nobody took anything but the granted reservations (-w v).
  static Supply of_empty_cluster(const State& state);
  static Supply of_reservation(const State& state, const Reservation& reservation);

  /// The capacity of a resource in a container, nothing where it is not defined.
  std::optional<std::int64_t> capacity(const std::string& container,
                                       const std::string& resource) const;
  /// What is free of it during all of the window.
  std::optional<std::int64_t> free(const std::string& container, const std::string& resource,
                                   Window window) const;
  /// The slots of an instance that are free during all of the window; none while it is closed.
  std::int64_t free_slots(const QueueInstance& instance, Window window) const;
  /// Whether the calendar of the instance leaves it open. Where nothing is planned ahead, neither
  /// reservation nor hold, its future does not count (spec/scheduling.md section 10).
  bool is_open(const QueueInstance& instance, Window window) const;
  /// What is taken of it at the most during the window.
  std::int64_t used(const std::string& container, const std::string& resource, Window window) const;

  /// False where jobs do not count (-w v).
  bool counts_jobs() const { return !own_ledger_; }
  /// Of the reservation whose supply it is; 0 for the cluster's.
  std::int64_t reservation_key() const;

private:
  const State* state_ = nullptr;
  const Reservation* reservation_ = nullptr;
  const Ledger* ledger_ = nullptr;
  const Ledger* firm_ = nullptr; ///< in addition, where there is one
  bool endless_ = false;
  bool minds_calendars_ = false;
  std::shared_ptr<const Ledger> own_ledger_;
};

struct Assignment {
  std::string pe;
  std::vector<Grant> grants; ///< the master's instance first
  std::vector<Booking> bookings;
};

/// The capacity that configuration gives a container of the cluster.
std::optional<std::int64_t> configured_capacity(const Configuration& configuration,
                                                const std::string& container,
                                                const std::string& resource);

/// The largest assignment of the demand's slot range that fits, or nothing and the reasons.
/// `candidates` are instances without obstacles, in order of preference.
std::optional<Assignment> assign(const State& state, const Supply& supply, const Demand& demand,
                                 Window window, const std::vector<const QueueInstance*>& candidates,
                                 Reasons& reasons);

} // namespace almanac
