// Watches what a master commits and says when an invariant is broken (invariants.hpp, 1 to 9 and
// those behind that records show).
//
// Each change costs what it touches: it can run on a live master.
#pragma once

#include "core/monitor/held_room.hpp"
#include "core/monitor/invariants.hpp"
#include "core/records/occupancy.hpp"
#include "core/records/records.hpp"
#include "core/utilization/diagram.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace almanac {

/// Follows records that decided effects are applied to.
class Monitor : public Index {
public:
  explicit Monitor(const Records& records) : records_(records) {}

  using Index::changed;
  /// The records that a master found at its start: nothing is compared with what was before.
  void rebuild(const Records& records) override;
  bool agrees(const Records&) const override { return true; }
  void changed(const Job* before, const Job* after) override;
  void changed(const Task* before, const Task* after) override;
  void changed(const Reservation* before, const Reservation* after) override;
  void appended(const AccountingRecord& record) override;
  /// All effects of a batch are applied: what goes together has gone together.
  void settle();
  /// Time has passed: is anything overdue? Patience is counted by `steady`, a clock that does not
  /// leap, and leaves out what lies between two calls a while apart: the master was away, or idle.
  void tick(Instant now, Instant steady);

  /// The first one that was found.
  const std::optional<Violation>& violation() const { return violation_; }
  std::int64_t checked() const { return checked_; } ///< how many changes

private:
  /// What is to come in time, with the key of the reservation or of the job.
  enum class Awaited : std::uint8_t { reservation, proposal, hold };
  void complain(Invariant invariant, std::string what);
  void note(const Job& job);
  void note(const Task& task, ReservationKey inside);
  void note(const Reservation& reservation);
  void note_new(const Job& job);
  void note_start(const Job& job, const Task& task);
  void check_maintenance(const Job& job, const Task& task, const std::string& host);
  void note_new(const Reservation& reservation);
  void check_inside(const Reservation& reservation);
  void check_fits(const Reservation& reservation, const Shape& shape);
  void note_holds(const Job& before, const Job& after);
  void promise(const Reservation& reservation, std::int64_t sign);
  void check_promises(const Reservation& reservation, Invariant promise);
  void note_loans(const Reservation* before, const Reservation& after);
  void check_loans(const Reservation& reservation);
  void check_gave_way(const Reservation& reservation);
  void hold(const Task& task, ReservationKey inside, std::int64_t sign);
  void note_given(const Reservation* before, const Reservation& after);
  void check_given();
  void expect(std::int64_t key, Awaited what, Instant due);
  void take(const std::vector<Grant>& grants, ReservationKey inside, std::int64_t sign);

  const Records& records_;
  JobsOf jobs_of_;
  Maintenances maintenances_;
  AttractedTasks attracted_;
  std::map<InstanceName, std::int64_t> used_; ///< slots by instance, those in reservations apart
  std::map<std::pair<ReservationKey, InstanceName>, std::int64_t> used_inside_; ///< by reservation
  /// What is to happen with a reservation, its proposal or a hold next.
  struct Due {
    Instant at;
    std::optional<Duration> seen; ///< how long the master had been awake when it was found late
  };
  std::map<std::pair<std::int64_t, Awaited>, Due> due_;
  std::set<std::tuple<Instant, std::int64_t, Awaited>> in_time_order_;
  /// Of this batch: holds that start later than before without a cause; jobs of which a task has
  /// started: what is held for them comes to that; reservations that went.
  std::vector<std::pair<JobKey, std::string>> moved_holds_;
  std::set<JobKey> started_;
  std::vector<ReservationKey> gone_;
  std::set<ReservationKey>
      touched_;                  ///< of this batch: those of which, or in which, something changed
  std::vector<Reservation> new_; ///< of this batch
  std::map<InstanceName, Diagram> promised_; ///< slots of reservations, of those that preempt, too
  std::set<ReservationKey> promised_to_, begun_; ///< of this batch: that have more, that have begun
  std::set<ReservationKey> borrowing_;           ///< of this batch: that something was lent to
  HeldRoom held_;
  std::set<TaskId> placed_; ///< of this batch: tasks that start outside of reservations
  std::map<ReservationKey, bool>
      given_; ///< of this batch: that hold more, and whether they are new
  Instant last_tick_;
  Duration awake_{0};
  std::int64_t last_key_ = 0;    ///< given before this batch
  std::int64_t highest_key_ = 0; ///< with this batch
  std::int64_t last_accounting_ = 0;
  std::int64_t checked_ = 0;
  std::optional<Violation> violation_;
};

} // namespace almanac
