// Regular expressions of policies (spec/plus.md P7.52), matched in linear time whatever the
// expression is: a site's policy must not keep the scheduler busy.
//
// Bytes; . [a-z] [^a-z] \d \w \s \D \W \S, ( ) (?: ) |, ^ and $ for the ends of the text, * + ? {m}
// {m,} {m,n}. Back references, lookaround and named classes are refused.
#pragma once

#include "core/base/result.hpp"

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

namespace almanac {

enum class TextCase : std::uint8_t { counts, ignored };

class Matcher {
public:
  static Result<Matcher> parse(std::string_view expression, TextCase text_case);

  /// Whether some part of the text matches.
  bool matches(std::string_view text) const;

  /// Bytes that are looked at, at most: each step may look at each of the text.
  std::size_t cost(std::string_view text) const { return steps_.size() * (text.size() + 1); }

  enum class Do : std::uint8_t { take, split, jump, at_begin, at_end };
  using Bytes = std::bitset<256>;
  /// Places of others are relative to that of the step.
  struct Step {
    Do what = Do::jump;
    std::int32_t to = 1;
    std::int32_t or_to = 1;  ///< of a split
    std::uint32_t bytes = 0; ///< of a take: which set
  };
  using Steps = std::vector<Step>;

private:
  Steps steps_; ///< it matches behind the last one
  std::vector<Bytes> sets_;
};

} // namespace almanac
