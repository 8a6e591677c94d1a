// A snapshot as it would be with tasks that nobody has started, without what is held for a job, with
// another shape of a reservation, or with another maintenance.
//
// It ends before the records change.
#pragma once

#include "core/matching/snapshot.hpp"
#include "core/utilization/overlay.hpp"

#include <map>
#include <optional>
#include <set>

namespace almanac {

class Assumption {
public:
  explicit Assumption(const Snapshot& state) : state_(state), overlay_(state.books()) {}
  Assumption(const Assumption&) = delete;
  Assumption& operator=(const Assumption&) = delete;

  /// Of a job that need not be there.
  void start(const Job& job, const Task& task);
  /// One that has a place.
  void stop(const Job& job, const Task& task);
  void drop_holds(const Job& job);
  /// All that it has booked.
  void drop(const Reservation& reservation);
  /// For a reservation.
  void reserve(const std::vector<Booking>& bookings, Window window, Claim claim = Claim::plain);
  void give_back(const std::vector<Booking>& bookings, Window window, Claim claim = Claim::plain);
  /// A maintenance of these hosts that is not there yet; `instead`: of one that is, or nullptr.
  void close(const Reservation& maintenance, const Reservation* instead);
  /// As long as this lives.
  Snapshot look() const;

  const Overlay& overlay() const { return overlay_; }
  bool drops_holds_of(JobKey key) const { return without_holds_.contains(key); }
  /// Tasks that are assumed to start on the host now.
  std::int64_t starts_on(std::size_t host_index) const;
  /// nullptr: as they are.
  const Closures* closures() const { return closures_ ? &*closures_ : nullptr; }

private:
  void count(const Job& job, const std::string& pe, const std::vector<Grant>& grants, Window window,
             std::int64_t sign);

  const Snapshot& state_;
  Overlay overlay_;
  std::set<JobKey> without_holds_;
  std::map<std::size_t, std::int64_t> starts_;
  std::optional<Maintenances> maintenances_;
  std::optional<Closures> closures_;
};

} // namespace almanac
