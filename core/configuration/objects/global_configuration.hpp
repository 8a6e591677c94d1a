// The configuration of the cell (spec/objects.md section 7).
#pragma once

#include "core/base/describe.hpp"
#include "core/base/time.hpp"
#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/reservation_hooks.hpp"
#include "core/configuration/objects/retention.hpp"
#include "core/configuration/objects/user.hpp"
#include "core/configuration/objects/user_limit.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace almanac {

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
  std::vector<std::string> administrators; ///< administrator_mail: user[@host], each once
  std::string prolog, epilog;              ///< of instances that have none of their own; "": none
  std::string shell_start_mode = "posix_compliant"; ///< of instances that have none of their own
  std::int64_t min_uid = 0, min_gid = 0;
  std::vector<std::string> load_sensors; ///< programs, by their absolute paths
  std::vector<std::string> login_shells; ///< names of those that are started as login shells
  bool knows_usual_user = true;          ///< enforce_user auto
  User usual_user;                       ///< auto_user_*: of whoever has no user object
  LogLevel log_level = LogLevel::warnings;
  NotifySignals notify;
  /// Of execd_params, for the processes of all jobs: "h_memorylocked" and so on, a number or bytes;
  /// the largest number is none.
  std::map<std::string, std::int64_t> process_limits;
  bool accounts_reserved_usage = false; ///< of a host's tasks (planning/reserved_usage.hpp)
  bool writes_accounting = true;        ///< the accounting file; records are kept in any case
  bool writes_reports = false;          ///< records of the reporting file
  bool writes_job_log = false;          ///< of jobs, too
  bool logs_consumables = false; ///< and of what is used of each consumable, whoever asks for it
  /// How long lines may be gathered before they are written: to the reporting file, to accounting.
  Duration report_flush{15}, accounting_flush{};
  Duration load_report_time{40};
  Duration max_unheard{10};
  Duration reschedule_unknown{0};       ///< 0: never
  std::int64_t max_aj_instances = 2000; ///< 0: no limit, here and below
  std::int64_t max_aj_tasks = 75000;
  std::int64_t max_u_jobs = 0;
  std::int64_t max_jobs = 0;
  std::int64_t max_advance_reservations = most; ///< 0: none allowed (ruling)
  UserLimit max_u_advance_reservations;         ///< of what a user has standing
  UserLimit max_u_ar_slot_hours;                ///< of what is ahead of now
  Duration max_offer_time{300};                 ///< of qrsub -offer
  std::int64_t max_u_offers = 2;                ///< of a user at once
  std::int64_t max_user_mb = 1024;              ///< MB that records of a user take up in the master
  Retentions kept;
  ReservationHooks hooks;
  std::string jsv_url; ///< what verifies each job (jsv_url.hpp); "": nothing
  std::vector<std::string>
      jsv_allowed_mod; ///< what qalter may change nevertheless, as JSVs call it
  bool forced_qdel_for_owners = false;
  bool quotas_in_reservations = false; ///< jobs in them are limited and counted, too
  bool repairs_reservations = false;   ///< what is lost of them is replaced, if they do not say
  Duration repair_patience{60};        ///< what can't be repaired for so long ends (-repair fail)
  bool names_alternatives = true;      ///< to a refused reservation
  bool forbid_reschedule = false;
  bool forbid_application_error = false;
  bool enforces_limits = false;        ///< h_rt of tasks whose host is unknown, too
  bool reschedules_for_parts = false;  ///< also where a job does not begin
  bool ends_what_cannot_rerun = false; ///< instead of leaving it alone, when others are rescheduled
  bool forced_qdel_if_unknown =
      false; ///< of tasks whose host is unknown, by anybody who may delete

  static constexpr std::int64_t most = 9'999'999;
  static constexpr std::int64_t most_slot_hours = 1'000'000'000'000;
  static Result<GlobalConfiguration> parse(const ConfigurationObject& object);
};

Kind global_configuration_kind();

} // namespace almanac
