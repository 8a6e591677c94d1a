// What there is: capacities and what is booked of them, in the cluster or in a reservation.
//
// Windows are half-open. Amounts are in millionths for all resources but slots.
// Source: spec/scheduling.md sections 4 to 6 and 10.
#pragma once

#include "core/matching/snapshot.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace almanac {

/// By how much more is booked at `now` than there is of what the booking is of; 0 or less: nothing.
std::int64_t overbooked(const Snapshot& state, const Booking& booking, Instant now);

class Supply {
public:
  static Supply of_cluster(const Snapshot& state);
  /// The same, and what reservations can count on: jobs without a limit never end in it.
  /// `endless`: neither does what is looked for.
  static Supply of_promises(const Snapshot& state, bool endless);
  /// The cluster's, and what holds can count on. `endless`: what is looked for has no limit, and
  /// may not be in the way of a reservation whenever that comes (design.md section 4); other jobs
  /// without one are taken to end after default_duration.
  static Supply of_holds(const Snapshot& state, bool endless);
  /// What a new reservation can have, or another shape of one: as of_promises(). One that preempts
  /// takes of nobody but other reservations (spec/plus.md P5.9).
  static Supply of_reservations(const Snapshot& state, bool preempts);
  /// A supply from which nobody took anything but the granted reservations (-w v). What is booked
  /// for spare hosts keeps rerunnable jobs from nothing. Of use from `from` on.
  static Supply of_empty_cluster(const Snapshot& state, Claim claim, bool gives_way,
                                 Instant from = {});
  /// What jobs may take of it at `now`: while a change is prepared, what both shapes have; without
  /// what tasks that are past their time still hold of it (spec/reservations.md R10.10), and what
  /// it lends in the time of the loan (spec/metascheduler.md M4.11). Of a maintenance:
  /// whole_hosts.hpp.
  static Supply of_reservation(const Snapshot& state, const Reservation& reservation, Instant now);
  /// The same without the jobs in it.
  static Supply of_empty_reservation(const Snapshot& state, const Reservation& reservation);

  /// The same for who asks so (booking.hpp): rerunnable jobs may have what is kept for spare hosts,
  /// and where these lie already, one more may have what rerunnable jobs have.
  Supply asked_by(Claim claim) const;
  Claim claim() const { return claim_; }
  /// The same for jobs that start before reservations that preempt, and give way to these when they
  /// begin (spec/plus.md P5.10).
  Supply before_preempting(bool gives_way) const;
  bool gives_way() const { return gives_way_; }
  /// Whether jobs count: for a reservation that preempts they do not.
  bool preempts() const { return of_booked_ != &Capacity::booked; }

  /// None of them may exceed the capacity; some are nullptr.
  using Diagrams = std::array<const Diagram*, 2>;

  /// Where the resource is, as long as this supply lives.
  const CapacityIndex& capacity_index(const Resource& resource) const;
  /// What is taken of it at the most during the window.
  std::int64_t used(const Capacity& capacity, Window window) const;
  /// In which it is booked in addition, to be looked at from the window's start on without end.
  Diagrams endless_use(const Capacity& capacity) const {
    return other_ && endless_ ? seen(capacity.*of_other_) : Diagrams{};
  }
  /// In which it is booked; none where nothing is, and nothing can be.
  Diagrams booked(const Capacity& capacity) const { return seen(capacity.*of_booked_); }
  /// The same as reservations count, where there is a ledger.
  Diagrams firmly_booked(const Capacity& capacity) const { return seen(capacity.firm); }
  /// What is free of it during all of the window, nothing where it is not defined.
  std::optional<std::int64_t> free(const Capacity& capacity, Window window) const;

  /// The same by name, for the cluster's supplies.
  std::optional<std::int64_t> capacity(const Container& container, const Resource& resource) const;
  std::int64_t used(const Container& container, const Resource& resource, Window window) const;
  Capacity capacity_of(const Container& container, const Resource& resource) const;

  /// The slots of the parallel environment that are free during all of the window.
  std::int64_t free_in(const ParallelEnvironment& pe, Window window) const;
  /// The slots of an instance that are free during all of the window; none while it is closed.
  std::int64_t free_slots(const QueueInstance& instance, Window window) const;
  /// Whether the calendar of the instance leaves it open, and no maintenance closes its host. Where
  /// nothing is planned ahead, neither reservation nor hold, the future of calendars does not count
  /// (spec/scheduling.md section 10).
  bool is_open(const QueueInstance& instance, Window window) const;
  /// The maintenance that closes it; nullptr: none does.
  const Maintenance* closing(const QueueInstance& instance, Window window) const;

  /// False where jobs do not count (-w v).
  bool counts_jobs() const { return !own_ledger_; }
  /// Whether it is what reservations can count on.
  bool is_of_promises() const { return other_ && of_other_ == &Capacity::firm; }
  /// Of the reservation whose supply it is; none for the cluster's.
  ReservationKey reservation_key() const {
    return reservation_ ? reservation_->key : ReservationKey{};
  }
  const Reservation* reservation() const { return reservation_; } ///< nullptr for the cluster's

private:
  static Supply inside(const Snapshot& state, const Reservation& reservation);
  Diagrams seen(const Diagram* of_the_books) const;
  const Shape& shape() const { return usable_ ? *usable_ : reservation_->shape; }

  const Snapshot* state_ = nullptr;
  const Reservation* reservation_ = nullptr;
  std::shared_ptr<const Shape> usable_; ///< of the reservation, where that is not all it has
  const Ledger* ledger_ = nullptr;
  const Ledger* other_ = nullptr; ///< counts in addition, where there is one
  const Diagram* Capacity::*of_booked_ = &Capacity::booked;
  const Diagram* Capacity::*of_other_ = &Capacity::firm;
  Claim claim_ = Claim::plain;
  bool gives_way_ = false;
  bool endless_ = false;
  bool minds_calendars_ = false;
  bool minds_maintenance_ = false;
  std::shared_ptr<const Ledger> own_ledger_;
  std::shared_ptr<std::map<Resource, CapacityIndex>>
      own_indexes_; ///< those the state does not keep
};

} // namespace almanac
