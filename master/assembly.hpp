// The master's actors, put together: in a daemon over real ports, in the simulator over virtual
// ones.
#pragma once

#include "actors/master/exporter.hpp"
#include "actors/interfaces.hpp"
#include "actors/master/journal.hpp"
#include "actors/ports/accounts.hpp"
#include "actors/ports/clock.hpp"
#include "actors/ports/common_files.hpp"
#include "actors/ports/hook_runner.hpp"
#include "actors/ports/job_verifier.hpp"
#include "actors/ports/journal.hpp"
#include "actors/ports/mailer.hpp"
#include "actors/ports/notebook.hpp"
#include "actors/session/session.hpp"
#include "actors/trust/handshake.hpp"
#include "actors/trust/reservation_key.hpp"

#include <map>
#include <string>

namespace almanac {

struct MasterPorts {
  const Clock* clock = nullptr;
  Journal* journal = nullptr;
  Thread journal_thread = Thread::shared; ///< and that of others who wait for disks
  ExportFiles exports;
  Mailer* mailer = nullptr;    ///< none: letters stay in the store
  HookRunner* hooks = nullptr; ///< none: likewise
  Notebook* notebook = nullptr;
  bool passes_off = false; ///< start nothing: there were too many crashes
  TimeZone zone;           ///< in which calendars are written
  Handshake::Random random;
  const Identity* identity = nullptr;
  std::string store_id;
  Term term;
  std::string host;                          ///< the name of this machine
  void (*set_log_level)(LogLevel) = nullptr; ///< of this process
  VouchFor vouched = nullptr;                ///< the accounts of this machine; nullptr: none
  bool checks = false;                       ///< see Planner::set_checking
  CommonFileSource* common_files = nullptr;  ///< none: agents hear nothing of them
  UidOf uid_of = nullptr;                    ///< of users on this machine; nullptr: none is known
  JobVerifier* verifier = nullptr;           ///< none: no JSV can be configured
  /// What finds each file that the planner goes by; without it nobody looks for the file.
  std::map<std::string, CommonFileSource*> site_files{};
  const SiteKeys* site_keys = nullptr; ///< none: reservations have no keys
};

struct Master {
  DirectoryActor directory;
  JournalActor journal;
  ViewsActor views;
  GateActor gate;
  CalendarActor calendar;
  SessionSetup sessions; ///< of those that agents begin
};

/// Restores the planner from the store and starts everything; an error says what of the store can't
/// be read.
Result<Master> assemble_master(caf::actor_system& system, const MasterPorts& ports);

} // namespace almanac
