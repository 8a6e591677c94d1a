#include "core/text/pattern.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <optional>
#include <string>

namespace almanac {

namespace {

// Reads "[a-z]" at the front of `pattern`; nothing if the bracket is not closed.
std::optional<bool> bracket_matches(std::string_view& pattern, char c) {
  const auto close = pattern.find(']', 2);
  if (close == std::string_view::npos) return std::nullopt;
  auto set = pattern.substr(1, close - 1);
  const bool negated = set.starts_with('!');
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found = found || (set[i] <= c && c <= set[i + 2]);
      i += 2;
    } else found = found || set[i] == c;
  }
  pattern.remove_prefix(close + 1);
  return found != negated;
}

class Expression {
public:
  Expression(std::string_view source, std::string_view text) : rest_(source), text_(text) {}

  std::optional<bool> evaluate() {
    const auto result = any();
    return rest_.empty() ? result : std::nullopt;
  }

private:
  std::optional<bool> any() {
    auto left = all();
    while (left && rest_.starts_with('|')) {
      rest_.remove_prefix(1);
      const auto right = all();
      left = right ? std::optional(*left || *right) : std::nullopt;
    }
    return left;
  }
  std::optional<bool> all() {
    auto left = one();
    while (left && rest_.starts_with('&')) {
      rest_.remove_prefix(1);
      const auto right = one();
      left = right ? std::optional(*left && *right) : std::nullopt;
    }
    return left;
  }
  std::optional<bool> one() {
    if (++depth_ > 100) return std::nullopt;
    if (rest_.starts_with('!')) {
      rest_.remove_prefix(1);
      const auto inner = one();
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    if (rest_.starts_with('(')) {
      rest_.remove_prefix(1);
      const auto inner = any();
      if (!inner || !rest_.starts_with(')')) return std::nullopt;
      rest_.remove_prefix(1);
      return inner;
    }
    auto end = rest_.find_first_of("&|()");
    const auto pattern = rest_.substr(0, end);
    if (pattern.empty()) return std::nullopt;
    rest_.remove_prefix(pattern.size());
    return matches_pattern(pattern, text_);
  }

  std::string_view rest_;
  std::string_view text_;
  int depth_ = 0;
};

} // namespace

bool is_pattern(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // Iterative, with one point to return to: the latest '*' may swallow one more character.
  std::string_view star_pattern, star_text;
  bool starred = false;
  for (;;) {
    bool stuck = false;
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      star_pattern = pattern, star_text = text, starred = true;
      continue;
    }
    if (text.empty()) {
      if (pattern.empty()) return true;
      stuck = true;
    } else if (pattern.empty()) stuck = true;
    else if (pattern.front() == '?') pattern.remove_prefix(1), text.remove_prefix(1);
    else if (pattern.front() == '[') {
      const auto matched = bracket_matches(pattern, text.front());
      if (!matched) return false;
      if (*matched) text.remove_prefix(1);
      else stuck = true;
    } else {
      if (pattern.front() == '\\' && pattern.size() > 1) pattern.remove_prefix(1);
      if (pattern.front() == text.front()) pattern.remove_prefix(1), text.remove_prefix(1);
      else stuck = true;
    }
    if (!stuck) continue;
    if (!starred || star_text.empty()) return false;
    star_text.remove_prefix(1);
    pattern = star_pattern, text = star_text;
  }
}

Outcome valid_expression(std::string_view expression) {
  if (Expression(expression, "").evaluate()) return Done{};
  return Error{"\"" + excerpt(expression) + "\" is not a valid expression"};
}

bool matches_expression(std::string_view expression, std::string_view text, Case sensitivity) {
  if (sensitivity == Case::insensitive) {
    const auto folded_expression = lower(expression), folded_text = lower(text);
    return Expression(folded_expression, folded_text).evaluate().value_or(false);
  }
  return Expression(expression, text).evaluate().value_or(false);
}

} // namespace almanac
