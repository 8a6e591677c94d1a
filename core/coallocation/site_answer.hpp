// What a site says, line by line: docs/spec/metascheduler.md section 3.
//
// Sites are strangers: lines and their number are bounded, and whatever does not follow the grammar
// is an error.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

constexpr std::size_t longest_answer_line = 65536; ///< bytes, without the line break (M2.2)
constexpr std::int64_t most_answer_lines = 1024;   ///< behind the first one

/// The first value of this name; nullptr where there is none.
const std::string* find_token(const std::vector<Attribute>& tokens, std::string_view name);

struct SiteAnswer {
  std::int64_t status = 0;                    ///< SC: 0 is good, a negative number is not
  std::vector<Attribute> first;               ///< of the first line, behind SC
  std::vector<std::vector<Attribute>> others; ///< as many as COUNT says

  const std::string* find(std::string_view name) const { return find_token(first, name); }
  /// What a person is told of a refusal: its MSG, or its number.
  std::string reason() const;
};

/// Puts the lines of one answer together.
class AnswerReader {
public:
  /// The answer, once this line was its last one; nothing as long as there are more to come.
  Result<std::optional<SiteAnswer>> take(std::string_view line);

private:
  SiteAnswer answer_;
  std::int64_t missing_ = -1; ///< lines; -1: the first one
};

} // namespace almanac
