// What a question names: by number, by name or by pattern (spec/cli.md section 2).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace almanac {

/// The records that are meant by a list of words; an empty list means all.
class Named {
public:
  /// wc_job: expressions of patterns ("a*|b"), too, and "12.3", "12.1-5:2" mean 12, which has tasks.
  enum class Of { jobs, others };
  /// `letter`: what may stand before a number ("R12" for a reservation); 0: nothing.
  explicit Named(const std::vector<std::string>& words, char letter = 0, Of of = Of::others);
  /// Whether one of the words means it. Each word that does is noted.
  bool takes(std::int64_t number, const std::string& name);
  /// The words that have meant nothing so far, in the order in which they were given.
  std::vector<std::string> unknown() const;

private:
  struct Word {
    std::string text;
    bool found = false;
  };
  void note_number(const std::string& text, std::size_t at);

  Of of_;
  std::vector<Word> words_;
  std::multimap<std::int64_t, std::size_t> numbers_; ///< by what they say: places in words_
  std::vector<std::size_t> patterns_;                ///< likewise
};

} // namespace almanac
