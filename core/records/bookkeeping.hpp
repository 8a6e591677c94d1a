// Keeps the books from the records: what tasks have, what is held for jobs, what reservations are
// promised.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/records/index.hpp"
#include "core/utilization/books.hpp"

#include <map>
#include <set>
#include <vector>

namespace almanac {

/// What a task takes of what reservations count on: all time, unless it is ended within what is
/// booked for it. Of the task alone: what its job asks for may be altered while it runs.
Window firm_window(const Task& task);

/// What a task has booked in the cell, or in a reservation; the record outlives the entry.
BookEntry entry_of(const Configuration& configuration, const Task& task, ReservationKey inside);
BookEntry entry_of(const Configuration& configuration, const Hold& hold);
/// What a reservation has booked in the window.
BookEntry reserved_entry(const Configuration& configuration, const std::vector<Booking>& bookings,
                         Window window, Claim claim);

/// Whether both keep the same booked.
bool books_the_same(const Reservation& a, const Reservation& b);

class Bookkeeping : public Index {
public:
  Bookkeeping(const Records& records, Books& books) : records_(records), books_(books) {}

  using Index::changed;
  void rebuild(const Records& records) override;
  bool agrees(const Records& records) const override;
  void reconfigured(const Records& records, ChangedKinds kinds) override;
  void changed(const Reservation* before, const Reservation* after) override;
  void changed(const Job* before, const Job* after) override;
  void changed(const Task* before, const Task* after) override;

  /// Before a job that asks for this is placed or put: two lengths of jobs may count from now on.
  void expect(const JobRequest& request);
  bool is_aside(JobKey key) const { return aside_.contains(key); }

private:
  friend class Unbooked;
  /// Nothing is booked for it until it is put back, whatever becomes of its record.
  void set_aside(JobKey key);
  void put_back(JobKey key);
  void set_aside(ReservationKey key);
  void put_back(ReservationKey key);
  /// What is booked for it meanwhile.
  void enter(const std::vector<Booking>& bookings, Window window, bool is_reserved, Claim claim);
  void take_out(const std::vector<Booking>& bookings, Window window, bool is_reserved, Claim claim);

  void count(const Task& task, ReservationKey inside, std::int64_t sign);
  void count(const std::vector<Hold>& holds, std::int64_t sign);
  void count(const Reservation& reservation, std::int64_t sign);
  void count(const BookEntry& entry, std::int64_t sign);
  void open_spares(const Reservation& reservation);
  void close_spares(const Reservation& reservation);
  void open_preempted(const Reservation& reservation);
  void close_preempted(const Reservation& reservation);
  void count_slots_anew();
  void split();
  ReservationKey inside(const Task& task) const;

  const Records& records_;
  Books& books_;
  std::set<JobKey> aside_;
  std::set<ReservationKey> reservations_aside_;
};

} // namespace almanac
