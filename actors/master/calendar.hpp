// The planner behind its mailbox, and what goes out once its decisions are durable.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/master/kept_answers.hpp"
#include "actors/ports/accounts.hpp"
#include "actors/ports/clock.hpp"
#include "actors/ports/journal.hpp"
#include "actors/ports/notebook.hpp"
#include "actors/trust/handshake.hpp"
#include "core/planning/planner.hpp"

#include <string>

namespace almanac {

struct CalendarSetup {
  Planner planner;
  Sequence last_sequence{}; ///< of the journaled inputs
  Instant last_time{};      ///< of the last of them
  KeptAnswers answers{};
  std::string store_id{};
  Term term{};
  const Identity* identity = nullptr;
  const Clock* clock = nullptr;
  const Journal* store = nullptr; ///< asked for space, and which scripts are there
  Notebook* notebook = nullptr;
  bool passes_off = false;
  TimeZone zone{};    ///< in which calendars are written
  std::string host{}; ///< the name of the master's machine
  DirectoryActor directory{};
  JournalActor journal{};
  ArchiveActor archive{};
  ViewsActor views{};
  ExporterActor exporter{};
  PostmanActor postman{}; ///< or none
  HooksActor hooks{};     ///< or none
  GateActor gate{};
  FeedActor feed{}; ///< or none
  void (*set_log_level)(LogLevel) = nullptr;
  VouchFor vouched = nullptr;      ///< see LifeCycleContext
  CommonFilesActor common_files{}; ///< or none
};

CalendarActor spawn_calendar(caf::actor_system& system, CalendarSetup setup);

} // namespace almanac
