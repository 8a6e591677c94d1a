// The small configuration objects in their typed forms (spec/objects.md sections 2, 4, 7, 8, 11).
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/configuration/load_formula.hpp"
#include "core/configuration/object.hpp"
#include "core/configuration/retention.hpp"
#include "core/configuration/squash.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace almanac {

enum class AllocationRule : std::uint8_t { pe_slots, fill_up, round_robin, fixed };

/// How many slots of a range count for the urgency of a job.
enum class UrgencySlots : std::uint8_t { least, most, average, fixed };

struct ParallelEnvironment {
  std::string name;
  std::int64_t slots = 0; ///< in all jobs together
  AllocationRule rule = AllocationRule::pe_slots;
  std::int64_t per_host = 0; ///< of the fixed rule
  bool control_slaves = false;
  bool job_is_first_task = true; ///< the job's script counts as one of its tasks
  UrgencySlots urgency_slots = UrgencySlots::least;
  std::int64_t fixed_urgency_slots = 0;
  std::string start, stop; ///< commands around the job on its master host; "": none
  std::vector<std::string> user_lists, xuser_lists;

  /// As allocation_rule says.
  Outcome set_rule(const std::string& text);

  static Result<ParallelEnvironment> parse(const ConfigurationObject& object);
};

struct ExecHost {
  std::string name;
  std::map<std::string, std::string> complex_values;
  std::vector<std::string> user_lists, xuser_lists, projects, xprojects;
  Squash squash;

  static Result<ExecHost> parse(const ConfigurationObject& object);
};

/// The names in a set of admin or submit hosts, in lower case: hosts are the same in any.
Result<std::set<std::string>> parse_host_set(const ConfigurationObject& object);

struct Userset {
  std::string name;
  std::vector<std::string> entries; ///< users and @unixgroups
  bool is_department = false;
  std::int64_t functional_share = 0, override_tickets = 0;

  static Result<Userset> parse(const ConfigurationObject& object);
  bool contains(const std::string& user, const std::string& group) const;
};

struct Project {
  std::string name;
  std::int64_t functional_share = 0, override_tickets = 0;
  std::vector<std::string> users, excluded_users; ///< usersets

  static Result<Project> parse(const ConfigurationObject& object);
};

struct User {
  std::string name;
  std::int64_t functional_share = 0, override_tickets = 0;
  std::string default_project; ///< "": none

  static Result<User> parse(const ConfigurationObject& object);
};

/// How much daemons write into their logs.
enum class LogLevel : std::uint8_t { warnings, errors, everything };
template <> inline constexpr LogLevel last_of<LogLevel> = LogLevel::everything;

/// What a job submitted with -notify gets some time before the signal that can't be caught.
/// Signals by name; "": none.
struct NotifySignals {
  std::string kill = "USR2";
  std::string suspend = "USR1";
  bool operator==(const NotifySignals&) const = default;
};

/// The shortest reschedule_unknown: room for what clocks may differ by, and for the end of a process
/// (core/execution/fence.hpp).
inline constexpr Duration least_reschedule_unknown{20};

struct GlobalConfiguration {
  std::vector<std::string> user_lists, xuser_lists, projects, xprojects;
  bool enforces_project = false, enforces_user = false; ///< jobs need a project, a user object
  std::string mailer;                                   ///< a program; "": no mail is sent
  std::string prolog, epilog; ///< of instances that have none of their own; "": none
  std::string shell_start_mode = "posix_compliant"; ///< of instances that have none of their own
  std::int64_t min_uid = 0;
  LogLevel log_level = LogLevel::warnings;
  NotifySignals notify;
  bool writes_accounting = true; ///< the accounting file; records are kept in any case
  Duration load_report_time{40};
  Duration max_unheard{10};
  Duration reschedule_unknown{0};       ///< 0: never
  std::int64_t max_aj_instances = 2000; ///< 0: no limit, here and below
  std::int64_t max_aj_tasks = 75000;
  std::int64_t max_u_jobs = 0;
  std::int64_t max_jobs = 0;
  std::int64_t max_advance_reservations = most; ///< 0: none allowed (ruling)
  std::int64_t max_user_mb = 1024;              ///< MB that records of a user take up in the master
  Retentions kept;
  bool forced_qdel_for_owners = false;
  bool repairs_reservations = false; ///< what is lost of them is replaced, if they do not say
  bool forbid_reschedule = false;
  bool forbid_application_error = false;

  static constexpr std::int64_t most = 9'999'999;
  static Result<GlobalConfiguration> parse(const ConfigurationObject& object);
};

/// In which order jobs are tried that come behind the first that does not fit.
enum class Backfill : std::uint8_t { none, priority, shortest };

struct SchedulerConfiguration {
  Duration schedule_interval{15};
  Duration flush_submit{0}, flush_finish{0}; ///< how long submissions and ends are gathered
  bool job_info = true;
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

  static Result<SchedulerConfiguration> parse(const ConfigurationObject& object);
};

} // namespace almanac
