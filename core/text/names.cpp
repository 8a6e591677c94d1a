#include "core/text/names.hpp"

#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The bytes of the first character of `text`; 0 where it is none. Neither overlong forms nor
// surrogates are characters (RFC 3629).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const auto lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool beyond = (lead == 0xed && byte(1) > 0x9f) || (lead == 0xf4 && byte(1) > 0x8f);
  return overlong || beyond ? 0 : length;
}

// U+0080 to U+009F: some terminals obey them, too.
bool is_high_control(std::string_view character) {
  return character.size() == 2 && character[0] == '\xc2' &&
         static_cast<unsigned char>(character[1]) < 0xa0;
}

// U+FFFE and U+FFFF: UTF-8, but what no XML may hold (XML 1.0, production Char).
bool is_none_of_xml(std::string_view character) {
  return character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf";
}

void add_as_hex(std::string& into, std::string_view bytes) {
  for (const unsigned char byte : bytes)
    into += std::string("\\x") + "0123456789abcdef"[byte >> 4] + "0123456789abcdef"[byte & 15];
}

} // namespace

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string printable(std::string_view text, std::string_view kept) {
  if (is_plain(text)) return std::string(text);
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto length = character_length(text);
    const auto character = text.substr(0, std::max<std::size_t>(length, 1));
    const char first = character.front();
    if (first == '\t' || kept.find(first) != std::string_view::npos) result += character;
    else if (first == '\n') result += "\\n";
    else if (length == 0 || is_control(first) || is_high_control(character) ||
             is_none_of_xml(character))
      add_as_hex(result, character);
    else result += character;
    text.remove_prefix(character.size());
  }
  return result;
}

std::string excerpt(std::string_view text, std::size_t most) {
  if (text.size() <= most) return printable(text);
  auto end = most;
  while (end > most - 4 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return printable(text.substr(0, end)) + "...";
}

std::string excerpt(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 5;
  std::string result;
  for (std::size_t i = 0; i < texts.size() && i <= most; ++i)
    result += (i > 0 ? "," : "") + (i < most ? excerpt(texts[i]) : "...");
  return result;
}

Outcome valid_name_unlike_number(std::string_view name) {
  if (!name.empty() && is_digit(name.front()))
    return Error{"\"" + excerpt(name) +
                 "\" is not a valid object name (cannot start with a digit)"};
  return valid_object_name(name);
}

bool is_plain_variable(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_variable(std::string_view name) {
  return !name.empty() && name.find('=') == std::string_view::npos &&
         std::none_of(name.begin(), name.end(), is_control);
}

Outcome valid_variable(const std::string& name, std::string_view value) {
  if (name.empty()) return Error{"a variable has no name"};
  if (!is_variable(name))
    return Error{"the name of a variable has '=' or a control character in it"};
  if (value.find('\0') != std::string_view::npos)
    return Error{"the variable \"" + name + "\" has a zero byte in it"};
  return Done{};
}

} // namespace almanac
