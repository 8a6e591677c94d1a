// The lines of one connection: several are asked at the same time, and their answers leave in the order
// of the lines.
//
// 1. A line goes on beside those before it only if it begins with the same word as they do and this is
//    none that has to be alone: so many reservations are made at once, while whoever reserves and then
//    asks what there is, without waiting in between, hears of what was reserved.
// 2. What waits is bounded, lines and answers: where it is full, no more is to be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace almanac {

class LineTurns {
public:
  struct Limits {
    std::size_t ahead = 32;        ///< lines that are asked and not answered
    std::size_t lines = 64;        ///< that are not answered at all
    std::size_t bytes = 128 << 10; ///< of lines and answers that wait; one more may come
    std::string alone = "MODIFY";  ///< lines with this word, in upper case
  };
  struct Question {
    std::uint64_t number = 0; ///< of the line in its connection, from 1
    std::string line;
  };
  explicit LineTurns(Limits limits) : limits_(std::move(limits)) {}

  void add(std::string line);
  /// The next line that may be asked now.
  std::optional<Question> next();
  /// The answer to a line that was asked.
  void answered(std::uint64_t number, std::string text);
  /// Answers that may leave, in order; "": none.
  std::string take_ready();

  bool is_full() const { return entries_.size() >= limits_.lines || bytes_ >= limits_.bytes; }
  bool is_empty() const { return entries_.empty(); }
  std::size_t asked() const { return in_flight_; }

private:
  enum class State { waits, is_asked, is_answered };
  struct Entry {
    State state = State::waits;
    std::string word; ///< in upper case
    std::string text; ///< the line, then its answer
  };
  bool may_go(const Entry& entry) const;

  Limits limits_;
  std::deque<Entry> entries_;
  std::uint64_t first_ = 1;    ///< number of the first entry
  std::size_t next_ = 0;       ///< the first entry that waits
  std::size_t in_flight_ = 0;  ///< entries that are asked
  std::size_t bytes_ = 0;      ///< of all texts
  std::string word_in_flight_; ///< of the entry that was asked last
};

} // namespace almanac
