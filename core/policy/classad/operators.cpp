#include "core/policy/classad/operators.hpp"

#include "core/policy/classad/classad.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>

namespace almanac {

namespace {

constexpr AdError wrong_types{"an operator does not take such values"};
constexpr AdError too_large{"an integer does not fit into 64 bits"};
constexpr AdError by_zero{"a division by zero"};
constexpr AdError not_finite{"a real is not finite"};
constexpr AdError wrong_shift{"a shift is by 0 to 63 bits"};
constexpr AdError no_truth{"&&, || and ! take truth values"};

struct Sign {
  AdOperator op;
  std::string_view text;
  int level;
};
// In the order of AdOperator.
constexpr Sign signs[] = {
    {AdOperator::none, "", 0},
    {AdOperator::multiply, "*", 10},
    {AdOperator::divide, "/", 10},
    {AdOperator::modulo, "%", 10},
    {AdOperator::add, "+", 9},
    {AdOperator::subtract, "-", 9},
    {AdOperator::shift_left, "<<", 8},
    {AdOperator::shift_right, ">>", 8},
    {AdOperator::shift_right_zero, ">>>", 8},
    {AdOperator::less, "<", 7},
    {AdOperator::less_equal, "<=", 7},
    {AdOperator::greater, ">", 7},
    {AdOperator::greater_equal, ">=", 7},
    {AdOperator::equal, "==", 6},
    {AdOperator::unequal, "!=", 6},
    {AdOperator::is, "is", 6},
    {AdOperator::isnt, "isnt", 6},
    {AdOperator::bit_and, "&", 5},
    {AdOperator::bit_xor, "^", 4},
    {AdOperator::bit_or, "|", 3},
    {AdOperator::logical_and, "&&", 2},
    {AdOperator::logical_or, "||", 1},
    {AdOperator::negate, "-", 0},
    {AdOperator::keep, "+", 0},
    {AdOperator::logical_not, "!", 0},
    {AdOperator::complement, "~", 0},
};

bool is_comparison(AdOperator op) { return op >= AdOperator::less && op <= AdOperator::unequal; }
bool is_bitwise(AdOperator op) {
  return (op >= AdOperator::shift_left && op <= AdOperator::shift_right_zero) ||
         (op >= AdOperator::bit_and && op <= AdOperator::bit_or);
}

AdValue bits(AdOperator op, std::int64_t a, std::int64_t b) {
  if (op == AdOperator::bit_and) return {a & b};
  if (op == AdOperator::bit_or) return {a | b};
  if (op == AdOperator::bit_xor) return {a ^ b};
  if (b < 0 || b > 63) return {wrong_shift};
  const auto plain = static_cast<std::uint64_t>(a);
  if (op == AdOperator::shift_left) return {static_cast<std::int64_t>(plain << b)};
  if (op == AdOperator::shift_right) return {a >> b};
  return {static_cast<std::int64_t>(plain >> b)};
}

// Whether it overflows; else `result` is what comes out.
bool overflows(AdOperator op, std::int64_t a, std::int64_t b, std::int64_t& result) {
  if (op == AdOperator::add) return __builtin_add_overflow(a, b, &result);
  if (op == AdOperator::subtract) return __builtin_sub_overflow(a, b, &result);
  return __builtin_mul_overflow(a, b, &result);
}

AdValue whole(AdOperator op, std::int64_t a, std::int64_t b) {
  const bool divides = op == AdOperator::divide || op == AdOperator::modulo;
  if (divides && b == 0) return {by_zero};
  if (op == AdOperator::modulo) return {b == -1 ? std::int64_t{0} : a % b};
  if (op == AdOperator::divide && b != -1) return {a / b};
  // A quotient by -1 is a product: of the lowest integer it does not fit.
  std::int64_t result = 0;
  const bool is_too_large = overflows(divides ? AdOperator::multiply : op, a, b, result);
  return is_too_large ? AdValue(too_large) : AdValue(result);
}

AdValue real(AdOperator op, double a, double b) {
  switch (op) {
  case AdOperator::add: return finite(a + b);
  case AdOperator::subtract: return finite(a - b);
  case AdOperator::multiply: return finite(a * b);
  case AdOperator::divide: return b == 0 ? AdValue(by_zero) : finite(a / b);
  default: return {wrong_types};
  }
}

std::optional<double> number(const AdValue& value) {
  if (const auto* real = value.as<double>()) return *real;
  if (const auto* whole = value.as<std::int64_t>()) return static_cast<double>(*whole);
  return {};
}

// A relTime, or the error that is there instead.
AdValue length(AdValue seconds) {
  const auto* value = seconds.as<double>();
  return value ? AdValue(RelTime{*value}) : seconds;
}
AdValue moment(AdValue seconds, std::int32_t zone) {
  const auto* value = seconds.as<double>();
  return value ? AdValue(AbsTime{*value, zone}) : seconds;
}

// absTime-absTime, absTime±relTime and relTime+absTime.
AdValue times(AdOperator op, const AdValue& a, const AdValue& b) {
  const auto *at = a.as<AbsTime>(), *other = b.as<AbsTime>();
  const auto *length_a = a.as<RelTime>(), *length_b = b.as<RelTime>();
  const bool adds = op == AdOperator::add, subtracts = op == AdOperator::subtract;
  if (at && other && subtracts) return length(real(op, at->seconds, other->seconds));
  if (at && length_b && (adds || subtracts))
    return moment(real(op, at->seconds, length_b->seconds), at->zone);
  if (length_a && other && adds)
    return moment(real(op, length_a->seconds, other->seconds), other->zone);
  if (length_a && length_b && (adds || subtracts))
    return length(real(op, length_a->seconds, length_b->seconds));
  const auto number_a = number(a), number_b = number(b);
  if (length_a && number_b && (op == AdOperator::multiply || op == AdOperator::divide))
    return length(real(op, length_a->seconds, *number_b));
  if (number_a && length_b && op == AdOperator::multiply)
    return length(real(op, *number_a, length_b->seconds));
  return {wrong_types};
}

AdValue arithmetic(AdOperator op, const AdValue& a, const AdValue& b) {
  const auto *whole_a = a.as<std::int64_t>(), *whole_b = b.as<std::int64_t>();
  if (whole_a && whole_b)
    return is_bitwise(op) ? bits(op, *whole_a, *whole_b) : whole(op, *whole_a, *whole_b);
  if (is_bitwise(op)) return {wrong_types};
  const auto number_a = number(a), number_b = number(b);
  if (number_a && number_b) return real(op, *number_a, *number_b);
  return times(op, a, b);
}

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Bytes, where letters of ASCII count as small ones.
std::strong_ordering text_order(const std::string& a, const std::string& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const auto x = static_cast<unsigned char>(folded(a[i])),
               y = static_cast<unsigned char>(folded(b[i]));
    if (x != y) return x <=> y;
  }
  return a.size() <=> b.size();
}

std::partial_ordering order(const AdValue& a, const AdValue& b) {
  if (const auto* x = a.as<std::int64_t>(), *y = b.as<std::int64_t>(); x && y) return *x <=> *y;
  if (const auto x = number(a), y = number(b); x && y) return *x <=> *y;
  if (const auto* x = a.as<AdText>(), *y = b.as<AdText>(); x && y) return text_order(**x, **y);
  if (const auto* x = a.as<bool>(), *y = b.as<bool>(); x && y) return *x <=> *y;
  if (const auto* x = a.as<AbsTime>(), *y = b.as<AbsTime>(); x && y)
    return x->seconds <=> y->seconds;
  if (const auto* x = a.as<RelTime>(), *y = b.as<RelTime>(); x && y)
    return x->seconds <=> y->seconds;
  return std::partial_ordering::unordered;
}

AdValue comparison(AdOperator op, const AdValue& a, const AdValue& b) {
  const auto found = order(a, b);
  if (found == std::partial_ordering::unordered) return {wrong_types};
  switch (op) {
  case AdOperator::less: return {found < 0};
  case AdOperator::less_equal: return {found <= 0};
  case AdOperator::greater: return {found > 0};
  case AdOperator::greater_equal: return {found >= 0};
  case AdOperator::equal: return {found == 0};
  default: return {found != 0};
  }
}

} // namespace

std::string_view sign_of(AdOperator op) { return signs[static_cast<std::size_t>(op)].text; }
int level_of(AdOperator op) { return signs[static_cast<std::size_t>(op)].level; }

AdValue finite(double value) { return std::isfinite(value) ? AdValue(value) : AdValue(not_finite); }

AdValue apply(AdOperator op, const AdValue& a, const AdValue& b) {
  if (a.is_error()) return a;
  if (b.is_error()) return b;
  if (a.is_undefined()) return a;
  if (b.is_undefined()) return b;
  return is_comparison(op) ? comparison(op, a, b) : arithmetic(op, a, b);
}

AdValue apply(AdOperator op, const AdValue& a) {
  if (a.is_error() || a.is_undefined()) return a;
  if (op == AdOperator::logical_not) {
    const auto* truth = a.as<bool>();
    return truth ? AdValue(!*truth) : AdValue(no_truth);
  }
  if (const auto* whole_a = a.as<std::int64_t>()) {
    if (op == AdOperator::complement) return {~*whole_a};
    return op == AdOperator::keep ? a : whole(AdOperator::subtract, 0, *whole_a);
  }
  if (op == AdOperator::complement) return {wrong_types};
  const bool negates = op == AdOperator::negate;
  if (const auto* value = a.as<double>()) return {negates ? -*value : *value};
  if (const auto* value = a.as<RelTime>())
    return {RelTime{negates ? -value->seconds : value->seconds}};
  return {wrong_types};
}

bool identical(const AdValue& a, const AdValue& b) {
  if (a.content.index() != b.content.index()) return false;
  if (const auto* x = a.as<bool>()) return *x == *b.as<bool>();
  if (const auto* x = a.as<std::int64_t>()) return *x == *b.as<std::int64_t>();
  if (const auto* x = a.as<double>()) return *x == *b.as<double>();
  if (const auto* x = a.as<AdText>()) return **x == **b.as<AdText>();
  if (const auto* x = a.as<RelTime>()) return x->seconds == b.as<RelTime>()->seconds;
  if (const auto* x = a.as<AbsTime>())
    return x->seconds == b.as<AbsTime>()->seconds && x->zone == b.as<AbsTime>()->zone;
  if (const auto* x = a.as<AdList>())
    return x->items == b.as<AdList>()->items && x->count == b.as<AdList>()->count;
  if (const auto* x = a.as<AdRecord>()) return *x == *b.as<AdRecord>();
  if (const auto* x = a.as<AdScope*>()) return *x == *b.as<AdScope*>();
  return true;
}

std::int64_t comparison_steps(const AdValue& a, const AdValue& b) {
  const auto *x = a.as<AdText>(), *y = b.as<AdText>();
  if (!x || !y) return 0;
  return steps_for_bytes(std::min((*x)->size(), (*y)->size()));
}

AdValue as_truth(const AdValue& value) {
  return value.as<bool>() || value.is_undefined() || value.is_error() ? value : AdValue(no_truth);
}

bool is_settled(AdOperator op, const AdValue& left) {
  const auto* truth = left.as<bool>();
  return truth ? *truth == (op == AdOperator::logical_or) : left.is_error();
}

AdValue conclude(AdOperator op, const AdValue& left, const AdValue& right) {
  const auto* truth = right.as<bool>();
  const bool decides = truth && *truth == (op == AdOperator::logical_or);
  return decides || right.is_error() || !left.is_undefined() ? right : left;
}

} // namespace almanac
