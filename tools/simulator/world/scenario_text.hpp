// The lines of a scenario's file: what is to be seen below a command, and how that is rewritten.
#pragma once

#include "core/base/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace almanac {

/// What stands below a command line.
struct Expectation {
  std::size_t first = 0, last = 0; ///< its lines, [first, last)
  std::vector<std::string> lines;  ///< empty: whatever comes is right
  int code = 0;
  bool is_nothing() const { return lines.size() == 1 && lines.front() == "(nothing)"; }
  bool fits(const std::vector<std::string>& came, int with_code) const;
};

class ScenarioText {
public:
  static Result<ScenarioText> read(const std::string& path);

  bool at_end() const { return at_ == lines_.size(); }
  /// Where the next line is, from 1 on.
  std::size_t number() const { return at_ + 1; }
  /// The next line, without the blanks around it.
  std::string next();

  /// What a line means: what it stands for is put into it.
  using Substitute = std::function<std::string(std::string)>;
  /// All that comes before "end file".
  std::string file(const Substitute& substitute);
  Expectation expectation(const Substitute& substitute);

  /// The file shall say what came instead. Lines that fit stay as they are written; in others
  /// `folder` becomes {dir}.
  Outcome replace(const Expectation& wanted, const std::vector<std::string>& came, int code,
                  const std::string& folder);
  std::size_t changes() const { return changes_.size(); }
  /// Once all is played. Nothing is written where nothing is to be replaced.
  Outcome write();

private:
  struct Change {
    std::size_t first, last; ///< lines to be replaced, [first, last)
    std::vector<std::string> lines;
  };

  std::string path_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  std::vector<Change> changes_;
};

} // namespace almanac
