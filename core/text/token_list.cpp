#include "core/text/token_list.hpp"

#include "core/text/names.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::string_view escaped_characters = ";\\#:";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// The pieces between semicolons that have no backslash.
std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') ++at;
    else if (text[at] == ';') {
      pieces.push_back(text.substr(begin, at - begin));
      begin = at + 1;
    }
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

std::string_view without_blanks_in_front(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// A blank at the end stays if an odd number of backslashes is in front of it.
std::string_view without_blanks(std::string_view text) {
  text = without_blanks_in_front(text);
  while (!text.empty() && is_blank(text.back())) {
    std::size_t backslashes = 0;
    while (backslashes + 1 < text.size() && text[text.size() - 2 - backslashes] == '\\')
      ++backslashes;
    if (backslashes % 2 == 1) break;
    text.remove_suffix(1);
  }
  return text;
}

} // namespace

std::optional<std::string> token_name(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return std::nullopt;
  std::string name;
  for (const char c : text) {
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_') return std::nullopt;
    name += upper(c);
  }
  return name;
}

std::string escaped_value(std::string_view value) {
  std::string text;
  for (std::size_t at = 0; at < value.size(); ++at) {
    const char c = value[at];
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    const bool is_at_an_end = at == 0 || at + 1 == value.size();
    if (escaped_characters.find(c) != std::string_view::npos || (is_blank(c) && is_at_an_end))
      text += '\\';
    text += c;
  }
  return text;
}

Result<std::string> unescaped_value(std::string_view text) {
  std::string value;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      value += text[at];
      continue;
    }
    if (++at == text.size()) return Error{"a backslash is the last character"};
    value += text[at] == 'n' ? '\n' : text[at];
  }
  return value;
}

Result<std::vector<Attribute>> parse_token_list(std::string_view text) {
  std::vector<Attribute> tokens;
  auto pieces = pieces_of(text);
  if (without_blanks(pieces.back()).empty()) pieces.pop_back();
  for (const auto piece : pieces) {
    const auto equals = piece.find('=');
    const auto name = token_name(without_blanks(piece.substr(0, equals)));
    if (equals == std::string_view::npos || !name)
      return Error{"\"" + excerpt(without_blanks(piece)) + "\" is not NAME=value"};
    auto value = unescaped_value(without_blanks(piece.substr(equals + 1)));
    if (!value) return Error{*name + ": " + value.what()};
    tokens.push_back({*name, std::move(*value)});
  }
  return tokens;
}

std::string print_token_list(const std::vector<Attribute>& tokens) {
  std::string text;
  for (const auto& [name, value] : tokens)
    text += (text.empty() ? "" : ";") + name + "=" + escaped_value(value);
  return text;
}

} // namespace almanac
