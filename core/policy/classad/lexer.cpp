#include "core/policy/classad/lexer.hpp"

#include "core/text/numbers.hpp"

#include <algorithm>
#include <charconv>

namespace almanac {

namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_of_name(char c) { return begins_name(c) || is_digit(c); }

// Longer ones first.
constexpr std::string_view signs[] = {"=?=", "=!=", ">>>", "==", "!=", "<=", ">=", "&&", "||",
                                      "<<",  ">>",  "+",   "-",  "*",  "/",  "%",  "<",  ">",
                                      "&",   "^",   "|",   "!",  "~",  "?",  ":",  ";",  "=",
                                      "(",   ")",   "[",   "]",  "{",  "}",  ",",  "."};

} // namespace

void Lexer::fail(std::size_t at, const std::string& what) {
  if (!failure_.empty()) return;
  const auto before = text_.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto begin = before.rfind('\n');
  const auto column = begin == std::string_view::npos ? at + 1 : at - begin;
  failure_ = "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what;
  at_ = text_.size();
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const auto rest = text_.substr(at_);
    if (std::string_view(" \t\r\n").find(rest.front()) != std::string_view::npos) ++at_;
    else if (rest.starts_with("//")) at_ += std::min(rest.find('\n'), rest.size());
    else if (rest.starts_with("/*")) {
      const auto end = rest.find("*/", 2);
      if (end == std::string_view::npos) return fail(at_, "the comment is not closed");
      at_ += end + 2;
    } else return;
  }
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.at = at_;
  if (at_ >= text_.size()) return token;
  const char c = text_[at_];
  if (is_digit(c) || (c == '.' && is_digit(at(at_ + 1)))) return number(at_);
  if (c == '"') return quoted(at_);
  if (begins_name(c)) {
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    token.kind = TokenKind::name, token.text = text_.substr(token.at, at_ - token.at);
    return token;
  }
  for (const auto sign : signs)
    if (text_.substr(at_).starts_with(sign)) {
      token.kind = TokenKind::sign, token.text = text_.substr(at_, sign.size());
      at_ += sign.size();
      return token;
    }
  fail(at_, "no word of the language begins so");
  return token;
}

Token Lexer::hexadecimal(std::size_t begin) {
  Token token{TokenKind::literal, {}, {}, begin};
  const auto first = text_.data() + begin + 2, last = text_.data() + text_.size();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, 16);
  at_ = static_cast<std::size_t>(end - text_.data());
  if (end == first || at(begin + 2) == '-' || is_of_name(at(at_)))
    fail(begin, "0x is followed by hexadecimal digits");
  else if (error != std::errc()) fail(begin, "the number does not fit into 64 bits");
  token.value = {value};
  return token;
}

Token Lexer::number(std::size_t begin) {
  if (at(begin) == '0' && (at(begin + 1) == 'x' || at(begin + 1) == 'X')) return hexadecimal(begin);
  if (at(begin) == '0' && is_digit(at(begin + 1))) {
    fail(begin, "a number does not begin with 0 and another digit");
    return {};
  }
  auto end = begin;
  const auto digits = [&] {
    while (is_digit(at(end))) ++end;
  };
  digits();
  bool is_real = at(end) == '.' && is_digit(at(end + 1));
  if (is_real) ++end, digits();
  if (at(end) == 'e' || at(end) == 'E') {
    const auto signs_behind = at(end + 1) == '+' || at(end + 1) == '-' ? 1U : 0U;
    if (is_digit(at(end + 1 + signs_behind))) is_real = true, end += 1 + signs_behind, digits();
  }
  at_ = end;
  Token token{TokenKind::literal, {}, {}, begin};
  if (is_of_name(at(end))) return fail(begin, "a number is not followed by letters"), token;
  std::int64_t whole = 0;
  double real = 0;
  const auto *first = text_.data() + begin, *last = text_.data() + end;
  const auto error =
      is_real ? std::from_chars(first, last, real).ec : std::from_chars(first, last, whole).ec;
  if (error != std::errc())
    fail(begin,
         is_real ? "the number is too large or too small" : "the number does not fit into 64 bits");
  token.value = is_real ? AdValue(real) : AdValue(whole);
  return token;
}

char Lexer::escaped(std::size_t backslash) {
  constexpr std::string_view letters = "ntrbf\\\"'", meant = "\n\t\r\b\f\\\"'";
  const auto found = letters.find(at(backslash + 1));
  if (backslash + 1 >= text_.size() || found == std::string_view::npos) {
    fail(backslash, "a \\ in a text is followed by one of n t r b f \\ \" '");
    return '\0';
  }
  return meant[found];
}

Token Lexer::quoted(std::size_t begin) {
  Token token{TokenKind::literal, {}, {}, begin};
  std::string content;
  ++at_;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
    const bool is_escape = text_[at_] == '\\';
    content += is_escape ? escaped(at_) : text_[at_];
    if (!failure_.empty()) return token;
    at_ += is_escape ? 2 : 1;
  }
  if (at(at_) != '"') fail(begin, "the text is not closed in its line");
  else ++at_;
  token.value = ad_text(std::move(content));
  return token;
}

} // namespace almanac
