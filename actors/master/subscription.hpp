// One subscription to changes: what it has heard, what it wants, and whether it is too slow.
//
// Belongs to the feed actor; knows no actor itself. It holds no rows: those lie in the store, so a
// slow reader costs nothing. It is closed nevertheless, since it would read of a past that nobody
// wants any more: when more has come than it may let wait, and still more comes.
#pragma once

#include "core/records/change_cursor.hpp"
#include "schema/door/replies.hpp"
#include "schema/door/requests.hpp"
#include "schema/store/changes.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class Subscription {
public:
  static constexpr std::size_t most_waiting = 1'024, most_bytes = 1u << 20;

  /// `at`: up to where it has heard everything.
  Subscription(const door::Subscribe& wanted, ChangeCursor at);

  const ChangeCursor& at() const { return at_; }
  /// Of these, those that it wants.
  std::vector<store::ChangeRow> wanted(const std::vector<store::ChangeRow>& rows) const;

  /// Its reader asks for the next frame: what waits is on its way.
  void asks() { is_asking_ = true, waiting_ = bytes_ = 0; }
  bool is_asking() const { return is_asking_; }
  /// It has a frame, and asks for the next one later.
  void told() { is_asking_ = false; }
  /// What it wants of what came up to there is told, or about to be.
  void skip(ChangeCursor to) { at_ = to; }

  /// More has become durable.
  void note(const std::vector<store::ChangeRow>& rows);
  bool is_too_slow() const { return is_too_slow_; }

private:
  std::set<EventKind> kinds_; ///< none: all
  ChangeCursor at_;
  bool is_asking_ = false, is_too_slow_ = false;
  std::size_t waiting_ = 0, bytes_ = 0; ///< since it asked last
};

/// The frames of what is told, none larger than a frame may be where it can be cut. Each has the
/// cursor behind which its reader goes on, the last one `at`; nothing within a list.
std::deque<std::string> frames_of(door::Changes changes, const std::optional<ChangeCursor>& at);

} // namespace almanac
