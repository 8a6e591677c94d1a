#include "core/coallocation/site_answer.hpp"

#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace almanac {

namespace {

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Result<std::string> token_name(std::string_view text) {
  const auto name = trim(text);
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name.front())))
    return Error{"\"" + excerpt(name) + "\" is not the name of a token"};
  std::string result;
  for (const char c : name) {
    if (!is_name_char(c)) return Error{"\"" + excerpt(name) + "\" is not the name of a token"};
    result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return result;
}

// The end of the token that begins at `at`: its semicolon, or the end of the text.
std::size_t end_of_token(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != ';') at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

Result<std::string> token_value(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    if (++i == text.size()) return Error{"a backslash stands at the end of a token"};
    result += text[i] == 'n' ? '\n' : text[i];
  }
  return result;
}

// A blank that a backslash keeps is part of the value.
std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t') &&
         !(text.size() > 1 && text[text.size() - 2] == '\\'))
    text.remove_suffix(1);
  return text;
}

} // namespace

Result<Tokens> parse_tokens(std::string_view text) {
  Tokens result;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = end_of_token(text, at);
    const auto token = text.substr(at, end - at);
    at = end + 1;
    if (trim(token).empty() && at >= text.size() && !result.empty()) break;
    const auto equals = token.find('=');
    if (equals == std::string_view::npos)
      return Error{"\"" + excerpt(token) + "\" is not of the form NAME=value"};
    auto name = token_name(token.substr(0, equals));
    if (!name) return name.error();
    auto value = token_value(without_blanks(token.substr(equals + 1)));
    if (!value) return value.error();
    result.push_back({*std::move(name), *std::move(value)});
  }
  return result;
}

std::string escaped_value(std::string_view value) {
  std::string result;
  for (const char c : value) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == ';' || c == '\\' || c == '#' || c == ':') result += '\\';
    result += c;
  }
  // Blanks around a value would be dropped.
  if (!result.empty() && result.back() == ' ') result.insert(result.size() - 1, "\\");
  if (!result.empty() && result.front() == ' ') result.insert(0, "\\");
  return result;
}

const std::string* find_token(const Tokens& tokens, std::string_view name) {
  for (const auto& token : tokens)
    if (token.name == name) return &token.value;
  return nullptr;
}

std::string SiteAnswer::reason() const {
  const auto* const message = find("MSG");
  return (message ? excerpt(*message, 200) + " " : std::string()) +
         "(SC=" + std::to_string(status) + ")";
}

Result<std::optional<SiteAnswer>> AnswerReader::take(std::string_view line) {
  if (line.size() > longest_site_line) return Error{"a line of the answer is too long"};
  auto tokens = parse_tokens(line);
  if (!tokens) return tokens.error();
  const bool has_status = !tokens->empty() && tokens->front().name == "SC";
  if (missing_ < 0) {
    if (!has_status) return Error{"the answer \"" + excerpt(line) + "\" does not begin with SC="};
    const auto status = parse_signed(tokens->front().value);
    if (!status || *status > 0 || *status < -9999)
      return Error{"the answer \"" + excerpt(line) + "\" has no status code"};
    tokens->erase(tokens->begin());
    answer_ = {*status, *std::move(tokens), {}};
    const auto* const count = answer_.find("COUNT");
    const auto lines = count ? parse_number(*count) : Result<std::int64_t>(0);
    if (!lines || *lines > most_answer_lines)
      return Error{"the answer \"" + excerpt(line) + "\" announces too many lines"};
    missing_ = *lines;
  } else {
    if (has_status) tokens->erase(tokens->begin());
    answer_.others.push_back(*std::move(tokens));
    --missing_;
  }
  if (missing_ > 0) return std::optional<SiteAnswer>();
  missing_ = -1;
  return std::optional(std::exchange(answer_, {}));
}

} // namespace almanac
