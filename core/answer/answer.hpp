// What is said to the person who asked.
#pragma once

#include "core/base/describe.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

/// A line for the person who asked. `trouble`: for the stream of errors.
struct Line {
  std::string text;
  bool trouble = false;
  bool operator==(const Line&) const = default;
};
template <class V> void describe(V& visit, Line& line) {
  visit("text", line.text);
  visit("trouble", line.trouble);
}

struct Answer {
  std::int64_t exit_code = 0;
  std::int64_t number = 0; ///< of the job or reservation that came to be
  std::vector<Line> lines;

  static Answer refusal(std::string text, std::int64_t code = 1) {
    return {code, 0, {{std::move(text), true}}};
  }
  void refuse(std::string text) { ///< one of several things
    exit_code = 1;
    lines.push_back({std::move(text), true});
  }
  bool operator==(const Answer&) const = default;
};
template <class V> void describe(V& visit, Answer& answer) {
  visit("exit_code", answer.exit_code);
  visit("number", answer.number);
  visit("lines", answer.lines);
}

} // namespace almanac
