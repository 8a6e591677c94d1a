// Who of many has something to do now, and whose next moment comes when.
//
// Whoever may have changed is touched, and looked at again before the next question. Everybody has
// a number, so that a step among thousands costs no comparison of names.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace almanac {

class Agenda {
public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// What somebody has before them: something now, and a moment in milliseconds.
  struct Outlook {
    bool ready = false;
    std::int64_t next = never;
  };

  /// The number of somebody new.
  std::size_t add();
  void touch(std::size_t who);
  void touch_all();

  /// Asks `look(who)` for the outlook of all who were touched.
  template <class Look> void refresh(Look look) {
    for (const auto who : touched_) {
      entries_[who].touched = false;
      note(who, look(who));
    }
    touched_.clear();
  }

  /// Who has something to do now; the order says nothing, but is the same each time.
  const std::vector<std::size_t>& ready() const { return ready_; }
  /// The first moment of all; never if there is none.
  std::int64_t next() const { return moments_.empty() ? never : moments_.begin()->first; }
  /// Whose moment has come by `now`, in the order of their numbers; they are touched.
  std::vector<std::size_t> due(std::int64_t now);

private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  struct Entry {
    bool touched = false;
    std::size_t at = nowhere; ///< in ready_
    std::int64_t next = never;
  };
  void note(std::size_t who, const Outlook& outlook);
  void set_ready(std::size_t who, bool is_ready);

  std::vector<Entry> entries_;
  std::vector<std::size_t> touched_, ready_;
  std::set<std::pair<std::int64_t, std::size_t>> moments_;
};

} // namespace almanac
