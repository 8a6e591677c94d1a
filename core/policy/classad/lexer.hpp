// The words of the policy language (spec/plus.md section 7, P7.28 to P7.30).
#pragma once

#include "core/policy/classad/value.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace almanac {

enum class TokenKind : std::uint8_t { end, literal, name, sign };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text; ///< of a name or sign
  AdValue value;         ///< of a literal: integer, real or text
  std::size_t at = 0;    ///< in the whole text

  bool is(std::string_view sign) const { return kind == TokenKind::sign && text == sign; }
};

/// Reads one word after the other. Behind a failure, and behind the last one, all words are `end`.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();
  /// The first failure; "": there was none.
  const std::string& failure() const { return failure_; }
  /// Notes the first failure, with line and column of the place.
  void fail(std::size_t at, const std::string& what);

private:
  void skip_blanks();
  Token number(std::size_t begin);
  Token hexadecimal(std::size_t begin);
  Token quoted(std::size_t begin);
  char escaped(std::size_t backslash);
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string failure_;
};

} // namespace almanac
