// The master's actors, put together: in a daemon over real ports, in the simulator over virtual
// ones.
#pragma once

#include "actors/master/exporter.hpp"
#include "actors/interfaces.hpp"
#include "actors/master/journal.hpp"
#include "actors/ports/accounts.hpp"
#include "actors/ports/clock.hpp"
#include "actors/ports/journal.hpp"
#include "actors/ports/mailer.hpp"
#include "actors/ports/notebook.hpp"
#include "actors/session/session.hpp"
#include "actors/trust/handshake.hpp"
#include "core/planning/planner.hpp"

namespace almanac {

struct MasterPorts {
  const Clock* clock = nullptr;
  Journal* journal = nullptr;
  Thread journal_thread = Thread::shared;
  ExportFiles exports;
  Mailer* mailer = nullptr; ///< none: letters stay in the store
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

/// The time of the last journaled input, its number, and the rules that decided it.
struct LastInput {
  Sequence sequence;
  Instant now;
  std::int64_t version = Planner::version;
};
LastInput last_input(const Journal& journal);

/// Makes a new checkpoint of the records and drops the inputs before it, if there are more than
/// `inputs_kept` of them since the last one, or if other rules than ours decided them: nobody could
/// replay those. Before the actors start.
Outcome renew_checkpoint(Journal& journal, Term term, std::int64_t inputs_kept);

/// What a replay went through.
struct Replay {
  Planner planner; ///< as it was after the last input
  Instant first, last;
  std::int64_t inputs = 0, compared = 0; ///< decided again; compared with what was recorded
  std::size_t bytes = 0;                 ///< of the inputs in the journal
};

/// Decides the journaled inputs again, from the checkpoint to the last one at or before `to`, and
/// compares each decision from `from` on with its recorded fingerprint; the error says where they
/// part. Without an end it compares the state with the stored records, too.
Result<Replay> replay(const Journal& journal, Instant from = {}, Instant to = Instant::never());

} // namespace almanac
