// Random expressions of the policy language, the same ones on every machine, and their values with all
// bits of reals: what tests/golden/classad.txt consists of.
#pragma once

#include "tests/core/policy/classad_fixture.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <string>

namespace almanac {

inline constexpr int golden_expressions = 10'000;

/// Mostly of fitting types, so that most have a value.
class ExpressionMaker {
public:
  std::string next() {
    switch (below(8)) {
    case 0: return truth(3);
    case 1: return time(3);
    case 2: return text(2);
    case 3: return list(2);
    default: return number(3);
    }
  }

private:
  using Maker = std::string (ExpressionMaker::*)(int);

  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  std::string one_of(std::initializer_list<const char*> words) {
    return *(words.begin() + below(words.size()));
  }
  std::string digits(std::uint64_t most) {
    std::string text(1, static_cast<char>('1' + below(9)));
    for (auto left = below(most); left > 0; --left) text += static_cast<char>('0' + below(10));
    return text;
  }
  std::string whole() {
    if (below(20) == 0)
      return one_of({"0x7fffffffffffffff", "9223372036854775807", "4611686018427387904", "0x10"});
    return below(6) == 0 ? "0" : digits(below(5) == 0 ? 18 : 3);
  }
  std::string real() {
    auto text = joined({below(3) == 0 ? "0" : digits(6), ".", digits(below(3) == 0 ? 17 : 4)});
    return below(4) ? text : joined({text, one_of({"e", "E-", "e+"}), digits(2)});
  }
  std::string bracketed(const std::string& text) { return below(3) == 0 ? text : "(" + text + ")"; }
  std::string both(Maker maker, int depth, const std::string& op) {
    const auto left = (this->*maker)(depth);
    return bracketed(left + " " + op + " " + (this->*maker)(depth));
  }
  // The first word is the name. Braces, since only in them words are made from left to right.
  std::string call(std::initializer_list<std::string> words) {
    std::string text = *words.begin() + "(";
    for (auto word = words.begin() + 1; word != words.end(); ++word)
      text += (word == words.begin() + 1 ? "" : ", ") + *word;
    return text + ")";
  }
  std::string joined(std::initializer_list<std::string> words) {
    std::string text;
    for (const auto& word : words) text += word;
    return text;
  }
  std::string choice(Maker maker, int depth) {
    const auto condition = truth(depth), then = (this->*maker)(depth);
    return "(" + condition + " ? " + then + " : " + (this->*maker)(depth) + ")";
  }
  // Now and then something else than what is wanted.
  bool is_odd() { return below(40) == 0; }
  std::string odd() {
    return one_of({"undefined", "error", "true", "\"a\"", "{}", "nobody", "[a = 1].a", "[a = 1].b",
                   "relTime(5)", "0", "-1"});
  }

  std::string number(int depth) {
    if (is_odd()) return odd();
    if (depth <= 0) return below(2) ? whole() : real();
    const auto d = depth - 1;
    switch (below(14)) {
    case 0:
    case 1:
    case 2:
    case 3: return both(&ExpressionMaker::number, d, one_of({"+", "-", "*", "/"}));
    case 4:
      return both(&ExpressionMaker::number, d, one_of({"%", "&", "|", "^", "<<", ">>", ">>>"}));
    case 5: return "-" + bracketed(number(d));
    case 6: return call({one_of({"floor", "ceiling", "round", "int", "real", "abs"}), number(d)});
    case 7: return call({one_of({"min", "max", "sum", "avg"}), numbers(d)});
    case 8: return interpolation(d);
    case 9: return choice(&ExpressionMaker::number, d);
    case 10: return call({"size", below(2) ? list(d) : text(d)});
    case 11: return joined({numbers(d), "[", std::to_string(below(4)), "]"});
    case 12: return joined({"[a = ", number(d), "; b = a * ", real(), "].b"});
    default: return call({one_of({"int", "real"}), below(2) ? length(d) : text(d)});
    }
  }
  std::string interpolation(int depth) {
    const auto x = number(depth), y = number(depth);
    if (below(2)) return call({"linear", x, whole(), y, whole(), real()});
    if (below(2)) return call({"quadratic", x, whole(), y, whole(), real()});
    return call({"quadratic", x, whole(), real(), whole(), y, whole(), real()});
  }
  std::string numbers(int depth) {
    const auto first = number(depth), second = number(depth);
    return "{" + first + ", " + second + ", " + (below(2) ? whole() : real()) + "}";
  }
  std::string truth(int depth) {
    if (is_odd()) return odd();
    if (depth <= 0) return one_of({"true", "false"});
    const auto d = depth - 1;
    const auto compared = one_of({"<", "<=", ">", ">=", "==", "!=", "is", "isnt"});
    switch (below(10)) {
    case 0:
    case 1:
    case 2: return both(&ExpressionMaker::number, d, compared);
    case 3: return both(&ExpressionMaker::text, d, compared);
    case 4: return both(&ExpressionMaker::time, d, compared);
    case 5: return both(&ExpressionMaker::truth, d, one_of({"&&", "||"}));
    case 6: return "!" + bracketed(truth(d));
    case 7: return call({one_of({"member", "identicalMember"}), number(0), list(d)});
    case 8: return call({one_of({"isUndefined", "isError", "isReal"}), number(d)});
    default:
      return call({"regexp", "\"" + one_of({"^a", "[b-d]+$", "a|b.", "x{2}"}) + "\"", text(d)});
    }
  }
  std::string text(int depth) {
    if (is_odd()) return odd();
    if (depth <= 0) return "\"" + one_of({"", "a", "B", "abc", "12", "0.1", "xx", "true"}) + "\"";
    const auto d = depth - 1;
    switch (below(5)) {
    case 0: return call({"strcat", text(d), number(d)});
    case 1: return call({"substr", text(d), std::to_string(below(3)), whole()});
    case 2: return call({one_of({"toLower", "toUpper"}), text(d)});
    case 3: return call({"string", below(2) ? number(d) : time(d)});
    default: return choice(&ExpressionMaker::text, d);
    }
  }
  std::string length(int depth) {
    if (is_odd()) return odd();
    if (depth <= 0)
      return call({"relTime",
                   below(2) ? number(0) : "\"" + one_of({"2d", "1h30m", "00:10", "0.25"}) + "\""});
    const auto d = depth - 1;
    if (below(3) == 0) return bracketed(joined({length(d), " * ", number(d)}));
    return both(&ExpressionMaker::length, d, one_of({"+", "-"}));
  }
  std::string time(int depth) {
    if (below(2)) return length(depth);
    const auto moment =
        below(2) ? call({"absTime", whole()}) : "absTime(\"2023-11-14T22:13:20+01:00\")";
    return depth > 0 ? bracketed(joined({moment, " ", one_of({"+", "-"}), " ", length(depth - 1)}))
                     : moment;
  }
  std::string list(int depth) {
    const auto first = number(depth), second = text(depth);
    return "{" + first + ", " + second + ", " + odd() + "}";
  }

  std::mt19937_64 random_{20};
};

/// With the bits of each real.
inline std::string bits_of(const AdValue& value) {
  const auto hex = [](double real) {
    constexpr const char* digits = "0123456789abcdef";
    const auto bits = std::bit_cast<std::uint64_t>(real);
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[bits >> shift & 15];
    return text;
  };
  if (const auto* real = value.as<double>()) return "real " + hex(*real);
  if (const auto* time = value.as<RelTime>()) return "relTime " + hex(time->seconds);
  if (const auto* time = value.as<AbsTime>())
    return "absTime " + hex(time->seconds) + " " + std::to_string(time->zone);
  const auto* list = value.as<AdList>();
  if (!list) return print_value(value);
  std::string text = "{";
  for (const auto& item : *list) text += (text.size() > 1 ? ", " : "") + bits_of(item);
  return text + "}";
}

/// What stands behind an expression in the file.
inline std::string golden_result(const std::string& expression) {
  const auto ad = parse_ad("x = " + expression);
  return ad ? bits_of(evaluate(*ad, "x", host_with())) : ad.what();
}

} // namespace almanac
