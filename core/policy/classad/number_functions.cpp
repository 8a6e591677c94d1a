#include "core/policy/classad/number_functions.hpp"

#include "core/policy/classad/operators.hpp"
#include "core/policy/classad/times.hpp"
#include "core/text/words.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace almanac {

namespace {

constexpr AdError no_number{"a number is expected"};
constexpr AdError not_read{"the text is no number"};
constexpr AdError no_integer{"the number does not fit into an integer"};
constexpr AdError no_text{"a list or record is no text"};
constexpr AdError no_truth{"the value is no truth value"};
constexpr AdError no_points{"linear() and quadratic() take numbers, or relTimes for all x"};
constexpr AdError same_points{"two points have the same x"};

// 2^63: the first real behind the integers.
constexpr double behind_integers = 9'223'372'036'854'775'808.0;

// A real without a fraction.
AdValue integer(double whole) {
  if (!(whole >= -behind_integers && whole < behind_integers)) return {no_integer};
  return {static_cast<std::int64_t>(whole)};
}

double cut(double value) { return value < 0 ? -std::floor(-value) : std::floor(value); }

double rounded(double value) {
  const double below = std::floor(value);
  const double rest = value - below;
  if (rest != 0.5) return rest < 0.5 ? below : below + 1;
  const double half = below / 2;
  return std::floor(half) == half ? below : below + 1;
}

// The number that the whole text is.
AdValue number_in(const std::string& text) {
  const auto trimmed = trim(text);
  const auto *first = trimmed.data(), *last = first + trimmed.size();
  std::int64_t whole = 0;
  if (const auto read = std::from_chars(first, last, whole);
      read.ec == std::errc() && read.ptr == last)
    return {whole};
  if (trimmed.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return {not_read};
  double real = 0;
  const auto read = std::from_chars(first, last, real);
  return read.ec == std::errc() && read.ptr == last ? finite(real) : AdValue(not_read);
}

std::optional<double> seconds_of(const AdValue& value) {
  if (const auto* time = value.as<AbsTime>()) return time->seconds;
  if (const auto* time = value.as<RelTime>()) return time->seconds;
  return {};
}

// What is a number, or is read as one.
AdValue number_of(const AdValue& value) {
  if (const auto* truth = value.as<bool>()) return {std::int64_t{*truth}};
  if (const auto* text = value.as<AdText>()) return number_in(**text);
  if (const auto seconds = seconds_of(value)) return {*seconds};
  return as_real(value) ? value : AdValue(no_number);
}

template <double (*of)(double)> AdValue to_whole(const AdValue& value) {
  if (value.as<std::int64_t>()) return value;
  const auto* real = value.as<double>();
  return real ? integer(of(*real)) : AdValue(no_number);
}

double above(double value) { return -std::floor(-value); }
double below(double value) { return std::floor(value); }

bool is_summand(const AdValue& value) { return as_real(value) || value.as<RelTime>(); }

// Goes through numbers or relTimes; the first error or undefined one ends it.
template <class Take> AdValue through(const AdList& list, const AdValue& first, Take take) {
  auto result = first;
  for (std::size_t i = 0; i < list.count; ++i) {
    const auto& item = list.begin()[i];
    if (item.is_error() || item.is_undefined()) return item;
    if (!is_summand(item)) return {no_number};
    result = i == 0 ? item : take(result, item);
    if (result.is_error()) return result;
  }
  return result;
}

AdValue extreme(const AdList& list, AdOperator better) {
  bool has_real = false;
  const AdValue none; // named only for gcc 12 with sanitizers, which takes {} for uninitialized
  auto result = through(list, none, [&](const AdValue& best, const AdValue& item) {
    auto wins = apply(better, item, best);
    if (wins.is_error()) return wins;
    return wins.is_true() ? item : best;
  });
  for (const auto& item : list) has_real |= item.as<double>() != nullptr;
  return has_real && result.as<std::int64_t>() ? to_real(result) : result;
}

// The places x, x1, x2... of an interpolation: all numbers or all relTimes.
struct Points {
  double x = 0;
  double xs[3]{}, ys[3]{};
};
std::optional<Points> points(std::span<const AdValue> given) {
  const bool are_times = given[0].as<RelTime>() != nullptr;
  const auto place = [&](const AdValue& value) {
    const auto* time = value.as<RelTime>();
    return are_times ? (time ? std::optional(time->seconds) : std::nullopt) : as_real(value);
  };
  Points result;
  const auto x = place(given[0]);
  if (!x) return {};
  result.x = *x;
  for (std::size_t i = 0; 2 * i + 2 < given.size(); ++i) {
    const auto at = place(given[2 * i + 1]), value = as_real(given[2 * i + 2]);
    if (!at || !value) return {};
    result.xs[i] = *at, result.ys[i] = *value;
  }
  return result;
}

// The term of a point in Lagrange's form of a parabola.
double term(const Points& p, int at, int other, int third) {
  const double upper = (p.x - p.xs[other]) * (p.x - p.xs[third]);
  const double lower = (p.xs[at] - p.xs[other]) * (p.xs[at] - p.xs[third]);
  return p.ys[at] * upper / lower;
}

} // namespace

std::optional<double> as_real(const AdValue& value) {
  if (const auto* real = value.as<double>()) return *real;
  if (const auto* whole = value.as<std::int64_t>()) return static_cast<double>(*whole);
  return {};
}

AdValue to_int(const AdValue& value) { return to_whole<cut>(number_of(value)); }
AdValue to_real(const AdValue& value) {
  const auto number = number_of(value);
  const auto real = as_real(number);
  return real ? AdValue(*real) : number;
}

AdValue to_text(const AdValue& value) {
  if (value.as<AdText>()) return value;
  if (const auto* time = value.as<AbsTime>()) return ad_text(print_abs_time(*time));
  if (const auto* time = value.as<RelTime>()) return ad_text(print_rel_time(time->seconds));
  if (value.as<bool>() || as_real(value)) return ad_text(print_value(value));
  return {no_text};
}

AdValue to_bool(const AdValue& value) {
  if (value.as<bool>()) return value;
  if (const auto number = as_real(value)) return {*number != 0};
  const auto* text = value.as<AdText>();
  if (text && equal_ignoring_case(**text, "true")) return {true};
  return text && equal_ignoring_case(**text, "false") ? AdValue(false) : AdValue(no_truth);
}

AdValue floor_of(const AdValue& value) { return to_whole<below>(value); }
AdValue ceiling_of(const AdValue& value) { return to_whole<above>(value); }
AdValue round_of(const AdValue& value) { return to_whole<rounded>(value); }

AdValue abs_of(const AdValue& value) {
  if (const auto* whole = value.as<std::int64_t>())
    return *whole < 0 ? apply(AdOperator::negate, value) : value;
  if (const auto* real = value.as<double>()) return {std::fabs(*real)};
  const auto* time = value.as<RelTime>();
  return time ? AdValue(RelTime{std::fabs(time->seconds)}) : AdValue(no_number);
}

AdValue min_of(const AdList& list) { return extreme(list, AdOperator::less); }
AdValue max_of(const AdList& list) { return extreme(list, AdOperator::greater); }

AdValue sum_of(const AdList& list) {
  return through(list, AdValue(std::int64_t{0}), [](const AdValue& sum, const AdValue& item) {
    return apply(AdOperator::add, sum, item);
  });
}

AdValue average_of(const AdList& list) {
  if (list.count == 0) return {0.0};
  const auto sum = sum_of(list);
  const AdValue count(static_cast<double>(list.count));
  return apply(AdOperator::divide, sum, count);
}

AdValue linear(std::span<const AdValue> given) {
  const auto p = points(given);
  if (!p) return {no_points};
  if (p->xs[0] == p->xs[1]) return {same_points};
  return finite(p->ys[0] + (p->x - p->xs[0]) * (p->ys[1] - p->ys[0]) / (p->xs[1] - p->xs[0]));
}

AdValue quadratic(std::span<const AdValue> given) {
  const auto p = points(given);
  if (!p) return {no_points};
  const bool has_three = given.size() == 7;
  if (p->xs[0] == p->xs[1] || (has_three && (p->xs[0] == p->xs[2] || p->xs[1] == p->xs[2])))
    return {same_points};
  if (has_three) return finite(term(*p, 0, 1, 2) + term(*p, 1, 0, 2) + term(*p, 2, 0, 1));
  const double part = (p->x - p->xs[0]) / (p->xs[1] - p->xs[0]);
  return finite(p->ys[0] + (p->ys[1] - p->ys[0]) * (part * part));
}

} // namespace almanac
