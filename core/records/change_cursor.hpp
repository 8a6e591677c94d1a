// How far somebody has heard what changes, and whether all that came since is still there.
//
// A cursor is "TERM-SEQUENCE": all events of the inputs up to this one were heard, in the history
// that this start of the master wrote or found. "TERM-SEQUENCE.POSITION" is one in the middle of an
// input. It survives restarts, and another master with the same store.
#pragma once

#include "core/base/ids.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// Events that are kept whatever their age, and how old the others get at least.
inline constexpr std::int64_t most_old_changes = 65'536;
inline constexpr std::int64_t changes_kept_seconds = 600;

struct ChangeCursor {
  static constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::max();

  Term term;
  Sequence sequence;             ///< of an input
  std::int64_t position = whole; ///< of its last event that was heard

  std::string text() const;
  static std::optional<ChangeCursor> parse(std::string_view text);
  bool operator==(const ChangeCursor&) const = default;
};

/// Which histories the store has had. One that was copied, worked on, and replaced by the copy has
/// forgotten what came after it: a cursor of then means other events.
class MasterStarts {
public:
  static constexpr std::size_t most = 64; ///< the last ones

  /// As text() wrote it; what can't be read is left out.
  static MasterStarts parse(std::string_view text);
  std::string text() const;

  /// A start, and the input that it begins with.
  void add(Term term, Sequence first);
  /// Whether the events up to there are those of this store.
  bool have(const ChangeCursor& cursor) const;

private:
  struct Start {
    Term term;
    Sequence first;
  };
  std::vector<Start> starts_; ///< ascending
};

} // namespace almanac
