// What is said to the person who asked.
#pragma once

#include "core/answer/statement.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

/// A line in words. `trouble`: for the stream of errors.
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
  std::int64_t exit_code = 0; ///< as Grid Engine's commands have it
  std::int64_t number = 0;    ///< of the job or reservation that came to be
  std::vector<Statement> statements;
  /// The same in words, to and from those who know version 1 of the door's protocol only.
  std::vector<Line> lines;

  static Answer refusal(Statement why, std::int64_t code = 1) {
    Answer answer;
    answer.refuse(std::move(why), code);
    return answer;
  }
  static Answer refusal(std::string why, std::int64_t code = 1) {
    return refusal(Statement::said(std::move(why)), code);
  }
  void say(Statement statement) { statements.push_back(std::move(statement)); }
  /// For the stream of errors.
  void warn(Statement statement) {
    statement.trouble = true;
    statements.push_back(std::move(statement));
  }
  /// One of several things.
  void refuse(Statement why, std::int64_t code = 1) {
    exit_code = code;
    warn(std::move(why));
  }
  bool operator==(const Answer&) const = default;
};
template <class V> void describe(V& visit, Answer& answer) {
  visit("exit_code", answer.exit_code);
  visit("number", answer.number);
  visit("lines", answer.lines);
  visit("statements", answer.statements);
}

} // namespace almanac
