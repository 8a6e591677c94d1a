// Watches what a master commits and says when an invariant is broken (invariants.hpp, 1 to 9 and
// 19).
//
// Each change costs what it touches: it can run on a live master.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/monitor/invariants.hpp"
#include "core/records/effect.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace almanac {

class Monitor {
public:
  /// A record as it was committed, at `now`. The configuration is the one that holds then.
  void note(const Effect& effect, const Configuration& configuration, Instant now);
  /// All of a batch is noted: what goes together has gone together.
  void settle();
  /// The records that a master found at its start: nothing is compared with what was before.
  void begin(const Records& records);
  /// Time has passed: is anything overdue? Patience is counted by `steady`, a clock that does not
  /// leap, and leaves out what lies between two calls a while apart: the master was away, or idle.
  void tick(Instant now, Instant steady);

  /// The first one that was found.
  const std::optional<Violation>& violation() const { return violation_; }
  std::int64_t checked() const { return checked_; } ///< how many records

private:
  struct TaskMemo {
    std::int64_t attempt = 0;
    std::vector<Grant> grants;
  };
  struct JobMemo {
    JobNumber number;
    std::map<std::int64_t, TaskMemo> tasks;
    ReservationKey reservation_key;
    std::int64_t starts = 0;    ///< of tasks, that were seen
    std::vector<Instant> holds; ///< their starts
  };
  /// What is to come in time, with the key of the reservation or of the job.
  enum class Awaited : std::uint8_t { reservation, proposal, hold };
  void complain(Invariant invariant, std::string what);
  void note_job(const Job& job, const Configuration* configuration);
  void note_task(const Task& task, const Configuration* configuration);
  void note_start(const JobMemo& job, const Task& task, const Configuration& configuration);
  void forget_job(JobKey key);
  void forget_task(JobMemo& job, std::int64_t number);
  void move(JobKey key, ReservationKey to);
  void note_reservation(const Reservation& reservation);
  void forget_reservation(ReservationKey key);
  void note_holds(const Job& job, JobMemo& memo, bool is_promised);
  void expect(std::int64_t key, Awaited what, Instant due);
  void take(const std::vector<Grant>& grants, ReservationKey reservation_key, std::int64_t sign);

  std::map<JobKey, JobMemo> jobs_;
  std::map<ReservationKey, std::set<JobKey>> jobs_in_; ///< by reservation
  std::map<ReservationKey, Reservation> reservations_;
  std::map<InstanceName, std::int64_t> used_; ///< slots by instance, those in reservations apart
  std::map<std::pair<ReservationKey, InstanceName>, std::int64_t> used_inside_; ///< by reservation
  /// What is to happen with a reservation, its proposal or a hold next.
  struct Due {
    Instant at;
    std::optional<Duration> seen; ///< how long the master had been awake when it was found late
  };
  std::map<std::pair<std::int64_t, Awaited>, Due> due_;
  std::set<std::tuple<Instant, std::int64_t, Awaited>> in_time_order_;
  /// Holds that start later than before without a cause, unless one of the job's has come to a start.
  struct MovedHold {
    JobKey job;
    std::int64_t starts = 0; ///< of the job when they moved
    std::string what;
  };
  std::vector<MovedHold> moved_holds_; ///< with this batch
  bool passes_off_ = false;            ///< nothing starts
  Instant last_tick_;
  Duration awake_{0};
  std::vector<ReservationKey> gone_; ///< reservations that went with this batch
  std::int64_t last_key_ = 0;        ///< given before this batch
  std::int64_t highest_key_ = 0;     ///< with this batch
  std::int64_t last_accounting_ = 0;
  std::int64_t checked_ = 0;
  std::optional<Violation> violation_;
};

} // namespace almanac
