// The configuration of the scheduler (spec/objects.md section 11).
#pragma once

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/configuration/objects/load_formula.hpp"
#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/plus_params.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

/// In which order jobs are tried that come behind the first that does not fit.
enum class Backfill : std::uint8_t { none, priority, shortest };

struct SchedulerConfiguration {
  Duration schedule_interval{15};
  Duration flush_submit{0}, flush_finish{0}; ///< how long submissions and ends are gathered
  bool job_info = true;                      ///< schedd_job_info
  std::vector<std::pair<JobNumber, JobNumber>> told_jobs; ///< from, to: those of job_list
  Duration duration_offset{60};
  bool monitor = false;            ///< write the schedule trace
  std::int64_t most_user_jobs = 0; ///< maxujobs: running at the same time; 0: no limit
  // Weights in millionths.
  std::int64_t weight_priority = 1'000'000;
  std::int64_t weight_urgency = 100'000;
  std::int64_t weight_ticket = 10'000;
  std::int64_t weight_waiting_time = 0;
  std::int64_t weight_deadline = 3'600'000'000'000;
  // Of the functional policy, in millionths; what they are weights of, in tickets.
  std::int64_t weight_user = 250'000, weight_project = 250'000, weight_department = 250'000,
               weight_job = 250'000;
  std::int64_t functional_tickets = 0;  ///< weight_tickets_functional
  bool shares_override_tickets = true;  ///< a user's tickets are divided among the user's jobs
  bool shares_functional_shares = true; ///< likewise
  // The order of hosts.
  bool load_before_seq_no = true; ///< queue_sort_method
  std::vector<LoadTerm> load_formula{{"np_load_avg", 1'000'000}};
  std::map<std::string, std::int64_t> load_adjustments; ///< by load value, millionths
  Duration load_decay{450};
  std::int64_t most_holds = 0; ///< max_reservation
  Duration default_duration = Duration::endless();
  Backfill backfill = Backfill::priority;
  bool keeps_holds = true; ///< false: every pass plans anew
  /// Reservations that are past and still on record (spec/plus.md P3.5).
  std::int64_t most_expired = 100;
  PlusSettings plus{};

  /// Whether qstat -j says why the job waits (spec/scheduling.md S15.1).
  bool tells_why(JobNumber job) const;

  static Result<SchedulerConfiguration> parse(const ConfigurationObject& object);
};

Kind scheduler_configuration_kind();

} // namespace almanac
