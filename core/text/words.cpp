#include "core/text/words.hpp"

#include "core/text/names.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace almanac {

namespace {
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view forbidden_in_names = " /:'\\[]{}|()@%,\"`*?&!";
} // namespace

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return x == y || std::tolower(x) == std::tolower(y);
  });
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string> words(std::string_view text, std::string_view separators) {
  std::vector<std::string> result;
  for (;;) {
    const auto begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return result;
    text.remove_prefix(begin);
    const auto end = text.find_first_of(separators);
    result.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  bool is_first = true;
  for (const auto& part : parts) {
    if (!std::exchange(is_first, false)) result += separator;
    result += part;
  }
  return result;
}

Result<std::vector<std::string>> shell_words(std::string_view line) {
  std::vector<std::string> result;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\'') {
      if (c == quote) quote = 0;
      else word += c;
    } else if (c == '\\' && i + 1 < line.size()) {
      word += line[++i];
      in_word = true;
    } else if (quote == '"') {
      if (c == quote) quote = 0;
      else word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (blanks.find(c) != std::string_view::npos) {
      if (in_word) result.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote) return Error{"a quote is not closed in: " + std::string(line)};
  if (in_word) result.push_back(std::move(word));
  return result;
}

std::string shell_quoted(std::string_view word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string shell_expanded(std::string_view word, bool is_csh) {
  std::string result = "\"";
  int depth = 0; // of parentheses, in $(...)
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (c == '(' && (depth > 0 || (i > 0 && word[i - 1] == '$' && !is_csh))) ++depth;
    if (c == ')' && depth > 0) --depth;
    if (c == '"' && depth == 0) result += is_csh ? "\"'\"'\"" : "\\\"";
    else result += c;
    // What it quotes stays behind it.
    if (c == '\\' && !is_csh) result += i + 1 < word.size() ? word[++i] : c;
  }
  return result + "\"";
}

Outcome valid_object_name(std::string_view name) {
  const std::string quoted = "\"" + excerpt(name) + "\" is not a valid object name ";
  if (name.empty()) return Error{quoted + "(it is empty)"};
  if (name.size() > 512) return Error{quoted + "(longer than 512 characters)"};
  if (const auto at = name.find_first_of(forbidden_in_names); at != std::string_view::npos)
    return Error{quoted + "(contains '" + std::string(1, name[at]) + "')"};
  if (std::any_of(name.begin(), name.end(), is_control))
    return Error{quoted + "(contains a control character)"};
  if (!is_utf8(name)) return Error{quoted + "(is not valid UTF-8)"};
  return Done{};
}

bool valid_host_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name.front() != '-' && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '-' || c == '_' || c == '.';
         });
}

} // namespace almanac
