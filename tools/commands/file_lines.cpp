#include "tools/commands/file_lines.hpp"

#include "core/answer/gridengine.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace almanac {

namespace {

// What stands between quotes, the last first: that is what is wrong, before it where.
std::vector<std::string> quoted_words(std::string_view text) {
  std::vector<std::string> found;
  for (auto at = text.find('"'); at != std::string_view::npos;) {
    const auto end = text.find('"', at + 1);
    if (end == std::string_view::npos) break;
    found.emplace_back(text.substr(at + 1, end - at - 1));
    at = text.find('"', end + 1);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

bool has_word(const std::string& line, const std::string& word) {
  const auto all = words(line, " \t,=[]():");
  return std::find(all.begin(), all.end(), word) != all.end();
}

bool names_attribute(std::string_view refusal, const std::string& word) {
  return refusal.find("attribute \"" + word + "\"") != std::string_view::npos ||
         refusal.find("attribute name \"" + word + "\"") != std::string_view::npos;
}

// Counted from 1; nothing where no line is meant for sure.
std::optional<std::size_t> line_of(std::string_view refusal,
                                   const std::vector<std::string>& lines) {
  const auto quoted = quoted_words(refusal);
  for (const auto& word : quoted) {
    if (!names_attribute(refusal, word)) continue;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (const auto all = words(lines[i], " \t"); !all.empty() && all.front() == word)
        return i + 1;
  }
  for (const auto& word : quoted)
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (!trim(lines[i]).starts_with('#') && has_word(lines[i], word)) return i + 1;
  return std::nullopt;
}

} // namespace

void add_lines_of_file(Answer& answer, const std::string& name, const std::string& text) {
  const auto lines = split(text, '\n');
  for (auto& statement : answer.statements) {
    if (!statement.trouble || statement.code != AnswerCode::said) continue;
    const auto refusal = gridengine::text_of(statement);
    const auto line = line_of(refusal, lines);
    if (!line) continue;
    statement = Statement::said(refusal + " (" + name + " line " + std::to_string(*line) + ")");
    statement.trouble = true;
  }
}

} // namespace almanac
