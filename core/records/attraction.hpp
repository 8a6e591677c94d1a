// Reservations that take in jobs which did not name them, and the tasks that they have taken in
// (spec/beyond.md section 7, -attract).
#pragma once

#include "core/records/groups.hpp"
#include "core/records/index.hpp"

#include <set>
#include <tuple>
#include <vector>

namespace almanac {

/// Those that run and were granted with -attract y, the one that ends first in front, then by id.
class AttractingReservations : public ComparedIndex<AttractingReservations> {
public:
  using Index::changed;
  bool operator==(const AttractingReservations&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;

  bool any() const { return !entries_.empty(); }
  bool contains(ReservationKey key) const { return keys_.contains(key); }
  std::vector<ReservationKey> keys() const;

private:
  std::set<std::tuple<Instant, ReservationNumber, ReservationKey>> entries_;
  std::set<ReservationKey> keys_;
};

/// Tasks by the reservation that attracted them.
class AttractedTasks : public ComparedIndex<AttractedTasks> {
public:
  using Index::changed;
  bool operator==(const AttractedTasks&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Task* before, const Task* after) override;

  bool any(ReservationKey key) const { return tasks_.contains(key); }
  /// Ascending.
  std::vector<TaskId> of(ReservationKey key) const { return tasks_.of(key); }

private:
  Groups<ReservationKey, TaskId> tasks_;
};

} // namespace almanac
