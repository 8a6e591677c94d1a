// Which rows of changes are old enough to be removed (core/records/change_cursor.hpp says how old,
// and how many stay whatever their age).
//
// A row is as old as its input; one whose input was removed is old. Threads: the archive's.
#pragma once

#include "actors/ports/archive.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

class OldChanges {
public:
  explicit OldChanges(const Archive& archive) : archive_(archive) {}

  struct Piece {
    std::vector<store::Write> writes; ///< to be committed before the next piece
    bool is_last = true;              ///< nothing is left to be counted or removed
  };
  /// At most `most` rows are looked at.
  Piece next(Instant now, std::size_t most);

private:
  bool count(std::size_t most);
  bool is_old(std::string_view key, Instant now);

  const Archive& archive_;
  std::string front_, counted_to_; ///< keys: the oldest that may be there, the first uncounted one
  std::int64_t counted_ = 0;       ///< rows that are there
  std::int64_t looked_up_ = 0;     ///< the input whose time is known
  std::optional<Instant> time_;    ///< of it; nothing: it was removed
};

} // namespace almanac
