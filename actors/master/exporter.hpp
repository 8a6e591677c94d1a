// Writes the accounting and the reporting file behind the store, and the schedule trace.
//
// The record in the store is the truth, the files follow (an outbox): at start a file is cut to
// the offset that belongs to the last exported record, and what is missing is appended: no gap, no
// double.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/journal.hpp"
#include "core/configuration/objects/global_configuration.hpp"

#include <cstddef>
#include <string>

namespace almanac {

/// So many bytes of lines wait in memory for a file that can't be written, or is not due: what is
/// beyond is read from the store when its turn comes.
inline constexpr std::size_t most_unwritten = 1 << 20;

/// Where exported lines go; the daemon's is a file.
class ExportFile {
public:
  virtual ~ExportFile() = default;
  /// The last exported sequence number; cuts off what was written behind it.
  virtual std::int64_t recover() = 0;
  /// Appends lines and remembers that all up to `sequence` are exported; false if nothing was
  /// written.
  virtual bool append(const std::string& lines, std::int64_t sequence) = 0;
};

/// Where the schedule trace goes.
class ScheduleFile {
public:
  virtual ~ScheduleFile() = default;
  virtual void follow(const Retention& retention) = 0;
  virtual void append(const std::vector<std::string>& lines, Instant now) = 0;
  /// Removes what is no longer kept. Cheap where there is nothing to be done.
  virtual void clear_away(Instant now) = 0;
};

struct ExportFiles {
  ExportFile* accounting = nullptr;
  ScheduleFile* schedule = nullptr;
  ExportFile* reporting = nullptr;
};

/// A file may be nullptr: nothing is exported. The configuration, which is followed, says whether
/// accounting is wanted, and what is not is passed over for good; how long lines are gathered before
/// they are written; and how long the trace is kept.
/// What the reporting file is to be told of is decided before: all of its records are written.
ExporterActor spawn_exporter(caf::actor_system& system, const DirectoryActor& directory,
                             const Journal& journal, ExportFiles files,
                             const GlobalConfiguration& global);

} // namespace almanac
