// Letters on their way out: which is to be tried next, and when.
//
// A letter that could not be handed over is tried again after a minute, then after twice as long
// each time, an hour at the most; after `most_tries` it is given up.
#pragma once

#include "core/mail/letter.hpp"

#include <map>

namespace almanac {

class Outbox {
public:
  static constexpr std::int64_t most_tries = 24;
  static constexpr Duration first_wait{60}, longest_wait{3600};

  /// To be tried at once.
  void add(Letter letter);
  /// The first one that is due; nullptr if none is.
  const Letter* due(Instant now) const;
  /// It has been handed over.
  void sent(std::int64_t sequence) { waiting_.erase(sequence); }
  /// It could not be handed over; false: it is given up.
  bool failed(std::int64_t sequence, Instant now);

  /// When the next one is due; never() if there is none.
  Instant next_try() const;
  std::size_t size() const { return waiting_.size(); }

private:
  struct Entry {
    Letter letter;
    std::int64_t tries = 0;
    Instant next;
  };
  std::map<std::int64_t, Entry> waiting_; ///< by sequence number
};

} // namespace almanac
