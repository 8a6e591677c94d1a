// The rows of changes as the feed reads them from the store: what came behind a cursor, as long as
// it is there.
#pragma once

#include "actors/ports/archive.hpp"
#include "core/records/change_cursor.hpp"
#include "schema/store/changes.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace almanac {

class KeptChanges {
public:
  /// `last`: the last input that is durable when this start of the master begins.
  KeptChanges(const Archive& store, Term term, Sequence last);

  /// Up to where everything is durable.
  const ChangeCursor& end() const { return end_; }
  void extend(Sequence last) { end_.sequence = last; }

  /// Whether all that came behind the cursor is there.
  bool reach_back_to(const ChangeCursor& cursor) const;

  struct Piece {
    std::vector<store::ChangeRow> rows; ///< at most so many as were asked for
    ChangeCursor to;                    ///< up to where nothing else came
  };
  /// Nothing: what came next may have been removed.
  std::optional<Piece> behind(const ChangeCursor& cursor, std::size_t most) const;

private:
  const Archive& store_;
  MasterStarts starts_;
  ChangeCursor end_;
};

} // namespace almanac
