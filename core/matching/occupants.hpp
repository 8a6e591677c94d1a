// Who holds what is not free: the jobs, holds and reservations that are booked in a container.
#pragma once

#include "core/answer/statement.hpp"
#include "core/matching/snapshot.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

class Occupants {
public:
  /// Whom those who ask have nothing to do with: they give way to reservations that preempt, or are one.
  enum class Beside : std::uint8_t { nobody, preempting, jobs };

  /// All that is booked of containers within the window: in the cluster, or by the jobs of one
  /// reservation.
  /// `firmly`: as reservations count, for which a job without a limit never ends. `claim`: those who
  /// are in the way of who asks so. `beside`: of whom nothing is in the way, neither.
  Occupants(const Snapshot& state, Window window, ReservationKey reservation_key, bool firmly,
            Claim claim, Beside beside = Beside::nobody);
  /// What counts in quotas within the window, of jobs in reservations, too, where these count.
  static Occupants of_quotas(const Snapshot& state, Window window);

  /// Job 3: 2, job 5 (held): 4, advance reservation 1: 8; the largest first.
  std::vector<Statement> shares(const Container& container, const Resource& resource) const;
  /// The same, each with its end.
  std::vector<Statement> shares_with_ends(const Container& container,
                                          const Resource& resource) const;

private:
  struct Share {
    Statement who; ///< without the amount
    std::int64_t amount = 0;
    Instant end;
  };
  Occupants(const Configuration& configuration, Window window)
      : window_(window), configuration_(configuration) {}
  void add_jobs(const Snapshot& state, ReservationKey reservation_key, bool firmly);
  void add_loans(const Snapshot& state, ReservationKey lender);
  template <class Take> static void each_job(const Snapshot& state, Take take);
  template <class Take> static void each_task(const Snapshot& state, const Job& job, Take take);
  template <class Take> static void each_hold(const Snapshot& state, const Job& job, Take take);
  std::vector<Share> shares_of(const Container& container, const Resource& resource) const;
  Statement said(const Share& share, const Resource& resource) const;
  void add(const Statement& who, const std::vector<Booking>& bookings, Window booked);

  Window window_;
  const Configuration& configuration_;
  std::map<std::pair<Container, Resource>, std::vector<Share>> shares_;
};

/// "until …", or "without end".
Statement taken_to(Instant end);

/// Adds to a statement who has taken something: ten of the shares, and how many more there are.
void add_taken(Statement& statement, std::vector<Statement> shares);

} // namespace almanac
