// What the records imply, each in an index of its own.
#pragma once

#include "core/records/attraction.hpp"
#include "core/records/index.hpp"
#include "core/records/jobs_naming.hpp"
#include "core/records/maintenances.hpp"
#include "core/records/new_transactions.hpp"
#include "core/records/reservations_of.hpp"
#include "core/records/site_settings.hpp"
#include "core/records/standing_series.hpp"
#include "core/records/task_tally.hpp"
#include "core/records/yielding.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

/// Keys by the numbers that users see.
class NumbersInUse : public ComparedIndex<NumbersInUse> {
public:
  using Index::changed;
  bool operator==(const NumbersInUse&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Job* before, const Job* after) override;
  void changed(const Reservation* before, const Reservation* after) override;
  void changed(const SettledTransaction* before, const SettledTransaction* after) override;
  void changed(const Series* before, const Series* after) override;

  /// None: there is none with this number.
  JobKey job(JobNumber number) const;
  ReservationKey reservation(ReservationNumber number) const;
  /// The next number after the last one that nobody has, and that no settled transaction is
  /// remembered of.
  JobNumber next(JobNumber last) const;
  ReservationNumber next(ReservationNumber last) const;
  /// The transaction of this reservation that was settled last; none: none is remembered.
  const std::string* last_settled(ReservationNumber number) const;

private:
  std::map<JobNumber, JobKey> jobs_;
  std::map<ReservationNumber, ReservationKey> reservations_;
  /// By number: the transactions that are remembered, in the order in which they were settled.
  std::map<ReservationNumber, std::set<std::pair<std::int64_t, std::string>>> settled_;
  std::set<ReservationNumber> series_;
};

/// Settled transactions by when they are forgotten.
class SettledEnds : public ComparedIndex<SettledEnds> {
public:
  using Index::changed;
  bool operator==(const SettledEnds&) const = default;
  void rebuild(const Records& records) override;
  void changed(const SettledTransaction* before, const SettledTransaction* after) override;

  /// The one that was to be forgotten first, at or before `now`; nothing if none was.
  std::optional<TransactionKey> overdue(Instant now) const;

private:
  std::set<std::pair<Instant, TransactionKey>> ends_;
};

/// Reservations of which nothing is left but the record, the one that ended first in front.
class PastReservations : public ComparedIndex<PastReservations> {
public:
  using Index::changed;
  bool operator==(const PastReservations&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;

  std::size_t size() const { return ends_.size(); }
  ReservationKey first() const { return ends_.empty() ? ReservationKey{} : ends_.begin()->second; }

private:
  std::set<std::pair<Instant, ReservationKey>> ends_;
};

/// Granted reservations that repair has to do with: something is wrong, was repaired, is left
/// behind or is noted, or they have spare hosts.
class TroubledReservations : public ComparedIndex<TroubledReservations> {
public:
  using Index::changed;
  bool operator==(const TroubledReservations&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;

  const std::set<ReservationKey>& keys() const { return keys_; } ///< ascending

private:
  std::set<ReservationKey> keys_;
};

/// Jobs by the reservation that they asked for.
class JobsOf : public ComparedIndex<JobsOf> {
public:
  using Index::changed;
  bool operator==(const JobsOf&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Job* before, const Job* after) override;

  bool any(ReservationKey key) const { return jobs_.contains(key); }
  /// Ascending.
  std::vector<JobKey> of(ReservationKey key) const;

private:
  std::map<ReservationKey, std::set<JobKey>> jobs_;
};

/// Reservations by the hosts that they have a part on, but for past ones.
class ReservationsOn : public ComparedIndex<ReservationsOn> {
public:
  using Index::changed;
  bool operator==(const ReservationsOn&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;

  /// Ascending.
  std::set<ReservationKey> on(const std::string& host) const;

private:
  std::map<std::string, std::set<ReservationKey>> reservations_;
};

/// Queue instances that somebody counts on in a reservation, now or if a change of it is committed.
class ReservedInstances : public ComparedIndex<ReservedInstances> {
public:
  using Index::changed;
  bool operator==(const ReservedInstances&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;

  bool contains(const InstanceName& instance) const { return grants_.contains(instance); }
  std::vector<InstanceName> all() const; ///< ascending

private:
  void count(const Reservation& reservation, std::int64_t sign);

  std::map<InstanceName, std::int64_t> grants_; ///< how many
};

/// Who waits for whom (-hold_jid).
class Successors : public Index {
public:
  explicit Successors(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records& records) override;
  bool agrees(const Records& records) const override;
  void changed(const Job* before, const Job* after) override;

  /// Key of a job whose predecessors are all gone, and which does not know it yet; none otherwise.
  JobKey waits_for_nobody() const { return free_.empty() ? JobKey{} : *free_.begin(); }

private:
  void enter(const Job& job);
  void leave(const Job& job);

  const Records& records_;
  std::map<JobKey, std::set<JobKey>> successors_;
  std::map<JobKey, std::size_t> waits_; ///< for how many jobs that are there, by job
  std::set<JobKey> free_;               ///< who waits for none that is there
};

/// Which arrays have tasks that wait for those of another one (-hold_jid_ad).
class ArraySuccessors : public ComparedIndex<ArraySuccessors> {
public:
  using Index::changed;
  bool operator==(const ArraySuccessors&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Job* before, const Job* after) override;

  /// Ascending.
  std::vector<JobKey> of(JobKey predecessor) const;

private:
  std::map<JobKey, std::set<JobKey>> successors_;
};

/// When the bookings of tasks end, and which jobs have any.
class TaskEnds : public ComparedIndex<TaskEnds> {
public:
  using Index::changed;
  bool operator==(const TaskEnds&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Task* before, const Task* after) override;

  /// The active task whose booking ended first, at or before `now`; nothing if none has.
  std::optional<TaskId> overdue(Instant now) const;
  /// Keys of the jobs that have something booked for a task, ascending.
  std::vector<JobKey> jobs() const;

private:
  std::set<std::pair<Instant, TaskId>> ends_;
  std::map<JobKey, std::int64_t> booked_; ///< how many tasks, by job
};

/// Jobs for which something is held.
class JobsWithHolds : public ComparedIndex<JobsWithHolds> {
public:
  using Index::changed;
  bool operator==(const JobsWithHolds&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Job* before, const Job* after) override;

  const std::set<JobKey>& keys() const { return keys_; } ///< ascending

private:
  std::set<JobKey> keys_;
};

/// How many tasks of each user are active.
class RunningTasks : public Index {
public:
  explicit RunningTasks(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records& records) override;
  bool agrees(const Records& records) const override;
  void changed(const Task* before, const Task* after) override;

  std::int64_t of(const std::string& user) const;

private:
  void count(const Task& task, std::int64_t sign);

  const Records& records_;
  std::map<std::string, std::int64_t> tasks_;
};

struct Occupancy {
  explicit Occupancy(const Records& records) : successors(records), running(records) {}
  auto all() {
    return std::to_array<Index*>({&numbers,
                                  &jobs_of,
                                  &reservations_on,
                                  &successors,
                                  &ends,
                                  &tallies,
                                  &jobs_with_holds,
                                  &running,
                                  &settled_ends,
                                  &past,
                                  &troubled,
                                  &reserved_instances,
                                  &reservations_of,
                                  &maintenances,
                                  &attracting,
                                  &attracted,
                                  &standing_series,
                                  &array_successors,
                                  &new_transactions,
                                  &jobs_naming,
                                  &yielding,
                                  &site});
  }

  NumbersInUse numbers;
  JobsOf jobs_of;
  ReservationsOn reservations_on;
  Successors successors;
  TaskEnds ends;
  TaskTallies tallies;
  JobsWithHolds jobs_with_holds;
  RunningTasks running;
  SettledEnds settled_ends;
  PastReservations past;
  TroubledReservations troubled;
  ReservedInstances reserved_instances;
  ReservationsOf reservations_of;
  Maintenances maintenances;
  AttractingReservations attracting;
  AttractedTasks attracted;
  StandingSeries standing_series;
  ArraySuccessors array_successors;
  NewTransactions new_transactions;
  JobsNaming jobs_naming;
  YieldingTasks yielding;
  SiteSettings site;
};

} // namespace almanac
