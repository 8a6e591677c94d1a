// The schedule trace in the cell's common folder: `schedule`, and its pieces beside it
// (core/configuration/schedule_pieces.hpp).
//
// 1. A run is written as a whole or not at all. What is left of one that a crash has cut ends its
//    line.
// 2. A file becomes a piece by rename, so a crash loses nothing. If that fails, nothing more is
//    written: the file does not grow without end.
// 3. A file that cannot be written is told of once, and nothing ends because of it.
#pragma once

#include "actors/master/exporter.hpp"

#include <optional>
#include <string>

namespace almanac {

class ScheduleTraceFile : public ScheduleFile {
public:
  explicit ScheduleTraceFile(std::string path) : path_(std::move(path)) {}
  void follow(const Retention& retention) override;
  void append(const std::vector<std::string>& lines, Instant now) override;
  void clear_away(Instant now) override;

private:
  Outcome become_piece(std::int64_t next_run, Instant now);
  void tell(const Outcome& written);

  std::string path_;
  Retention retention_;
  std::optional<Instant> last_run_; ///< nothing: before the first one of this process
  Instant next_look_;               ///< at the pieces
  bool works_ = true;
};

} // namespace almanac
