// How the schedule trace is kept: in the file `schedule`, and in pieces that were this file before
// (spec/scheduling.md section 11).
//
// 1. What one run has written is never divided, so the last run is in `schedule` as a whole.
// 2. The name of a piece says when its last run was: names are in the order of time.
// 3. A file with any other name is not a piece, and never goes.
#pragma once

#include "core/base/time.hpp"
#include "core/configuration/objects/retention.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct SchedulePiece {
  Instant last_run;
  std::int64_t bytes = 0;
  bool operator==(const SchedulePiece&) const = default;
};

/// In UTC: "schedule.20261125T201501".
std::string schedule_piece_name(Instant last_run);
/// When the last run of a piece with this name was; nothing if no piece is called so.
std::optional<Instant> last_run_in(std::string_view name);

/// Whether `file` becomes a piece before the next run is written, which has so many bytes: on
/// another day (in UTC), and when it would have more than an eighth of what is kept.
bool becomes_piece(const SchedulePiece& file, std::int64_t next_run, Instant now,
                   const Retention& retention);

/// The last runs of those pieces that go, with a file of so many bytes beside them.
std::vector<Instant> pieces_to_remove(std::vector<SchedulePiece> pieces, std::int64_t bytes_of_file,
                                      Instant now, const Retention& retention);

} // namespace almanac
