// The planner behind its mailbox, and what goes out once its decisions are durable.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/clock.hpp"
#include "actors/ports/journal.hpp"
#include "actors/ports/notebook.hpp"
#include "actors/trust/handshake.hpp"
#include "core/planning/planner.hpp"

#include <map>
#include <string>

namespace almanac {

/// The answer that a request id got.
struct KeptAnswer {
  std::string request_hash;
  Answer answer;
  Instant given;
};

struct CalendarSetup {
  Planner planner;
  std::int64_t last_sequence = 0; ///< of the journaled inputs
  Instant last_time;              ///< of the last of them
  std::map<std::string, KeptAnswer> answers;
  std::string store_id;
  std::int64_t term = 0;
  const Identity* identity = nullptr;
  const Clock* clock = nullptr;
  const Journal* store = nullptr; ///< asked for space only
  Notebook* notebook = nullptr;
  bool passes_off = false;
  TimeZone zone;    ///< in which calendars are written
  std::string host; ///< the name of the master's machine
  DirectoryActor directory;
  JournalActor journal;
  ViewsActor views;
  ExporterActor exporter;
  PostmanActor postman; ///< or none
  GateActor gate;
  void (*set_log_level)(LogLevel) = nullptr;
};

CalendarActor spawn_calendar(caf::actor_system& system, CalendarSetup setup);

/// How an answer is kept: under user and request id.
std::string answer_key(const Caller& caller, const std::string& request_id);
std::string encode_answer(const KeptAnswer& kept);
Result<KeptAnswer> decode_answer(std::string_view bytes);
inline constexpr Duration answers_kept{24 * 3600};

} // namespace almanac
