#include "core/policy/classad/times.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <charconv>
#include <cmath>

namespace almanac {

namespace {

constexpr std::int64_t day = 86'400;
// 0001-01-01T00:00:00 and the end of the year 9999, in seconds since the epoch.
constexpr std::int64_t first_second = -62'135'596'800, behind_last = 253'402'300'800;

// Takes a text apart from its front.
class Reader {
public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool take(char c) {
    if (next() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// From `least` to `most` digits.
  std::optional<std::int64_t> digits(std::size_t least, std::size_t most) {
    std::size_t count = 0;
    std::int64_t value = 0;
    for (; count < most && count < rest_.size() && is_digit(rest_[count]); ++count)
      value = value * 10 + (rest_[count] - '0');
    if (count < least) return {};
    rest_.remove_prefix(count);
    return value;
  }
  /// A real without a sign.
  std::optional<double> real() {
    if (!is_digit(next()) && next() != '.') return {};
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return {};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  std::string_view rest() const { return rest_; }

private:
  std::string_view rest_;
};

struct Date {
  std::int64_t year = 0, month = 0, day = 0;
};

// The calendar of ISO 8601, from the civil calendar's eras of 400 years, which begin in March.
std::int64_t days_of(Date date) {
  const auto year = date.year - (date.month <= 2);
  const auto era = (year >= 0 ? year : year - 399) / 400;
  const auto year_of_era = year - era * 400;
  const auto day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719'468;
}

Date date_of(std::int64_t days) {
  days += 719'468;
  const auto era = (days >= 0 ? days : days - 146'096) / 146'097;
  const auto of_era = days - era * 146'097;
  const auto year = (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
  const auto of_year = of_era - (365 * year + year / 4 - year / 100);
  const auto month = (5 * of_year + 2) / 153;
  const auto shown = month < 10 ? month + 3 : month - 9;
  return {year + era * 400 + (shown <= 2), shown, of_year - (153 * month + 2) / 5 + 1};
}

bool exists(Date date) {
  if (date.year < 1 || date.month < 1 || date.month > 12 || date.day < 1) return false;
  const auto back = date_of(days_of(date));
  return back.month == date.month && back.day == date.day;
}

std::optional<Date> read_date(Reader& reader) {
  const auto year = reader.digits(4, 4);
  if (!year || !reader.take('-')) return {};
  const auto month = reader.digits(2, 2);
  if (!month || !reader.take('-')) return {};
  const auto day_of_month = reader.digits(2, 2);
  if (!day_of_month) return {};
  const Date date{*year, *month, *day_of_month};
  return exists(date) ? std::optional(date) : std::nullopt;
}

// mm or ss behind a colon.
std::optional<std::int64_t> sixtieth(Reader& reader) {
  if (!reader.take(':')) return {};
  const auto value = reader.digits(2, 2);
  return value && *value < 60 ? value : std::nullopt;
}

// ".fff", as a part of a second; 0 where there is none.
std::optional<double> fraction(Reader& reader) {
  return reader.next() == '.' ? reader.real() : std::optional(0.0);
}

std::optional<std::int32_t> read_zone(Reader& reader) {
  const bool is_behind = reader.take('-');
  if (!is_behind && !reader.take('+')) return {};
  const auto hours = reader.digits(2, 2);
  const auto minutes = hours ? sixtieth(reader) : std::nullopt;
  if (!minutes || *hours > 23) return {};
  const auto ahead = static_cast<std::int32_t>(*hours * 3'600 + *minutes * 60);
  return is_behind ? -ahead : ahead;
}

// [days+]hh:mm[:ss[.fff]]
std::optional<double> read_clock(Reader reader) {
  auto hours = reader.digits(1, 9);
  std::int64_t days = 0;
  if (hours && reader.take('+')) days = *hours, hours = reader.digits(1, 9);
  const auto minutes = hours ? sixtieth(reader) : std::nullopt;
  if (!minutes) return {};
  std::optional<std::int64_t> seconds = 0;
  std::optional<double> part = 0.0;
  if (!reader.at_end()) seconds = sixtieth(reader), part = fraction(reader);
  if (!seconds || !part || !reader.at_end()) return {};
  return static_cast<double>(days * day + *hours * 3'600 + *minutes * 60 + *seconds) + *part;
}

// Plain seconds, or terms such as 7d.
std::optional<double> read_sum(Reader reader) {
  double sum = 0;
  for (bool is_first = true;; is_first = false) {
    const auto amount = reader.real();
    if (!amount) return {};
    if (is_first && reader.at_end()) return amount;
    const auto letter = reader.next();
    const auto unit = seconds_of_unit(letter);
    if (unit == 0) return {};
    reader.take(letter);
    const double term = *amount * static_cast<double>(unit);
    sum = sum + term;
    if (reader.at_end()) return sum;
    reader.take('+');
  }
}

std::string two_digits(std::int64_t value) {
  return {static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
}

std::string clock_of(std::int64_t seconds) {
  return two_digits(seconds / 3'600) + ":" + two_digits(seconds / 60 % 60);
}

// ".25" of a part of a second; "" of none.
std::string print_fraction(double part) {
  if (part == 0) return "";
  char buffer[1'200];
  const auto end =
      std::to_chars(std::begin(buffer), std::end(buffer), part, std::chars_format::fixed).ptr;
  return std::string(buffer + 1, end);
}

bool is_whole_below(double value, double limit) {
  return value < limit && value > -limit && std::floor(value) == value;
}

} // namespace

bool is_zone(std::int64_t seconds) { return seconds > -day && seconds < day && seconds % 60 == 0; }

std::optional<AbsTime> read_abs_time(std::string_view text, std::optional<std::int32_t> zone) {
  Reader reader(text);
  const auto date = read_date(reader);
  if (!date || !reader.take('T')) return {};
  const auto hours = reader.digits(2, 2);
  const auto minutes = hours && *hours < 24 ? sixtieth(reader) : std::nullopt;
  const auto seconds = minutes ? sixtieth(reader) : std::nullopt;
  const auto part = seconds ? fraction(reader) : std::nullopt;
  if (!part) return {};
  if (!reader.at_end()) {
    if (zone) return {};
    if (!(zone = read_zone(reader)) || !reader.at_end()) return {};
  }
  const auto ahead = zone.value_or(0);
  const auto local = days_of(*date) * day + *hours * 3'600 + *minutes * 60 + *seconds;
  return AbsTime{static_cast<double>(local - ahead) + *part, ahead};
}

std::optional<RelTime> read_rel_time(std::string_view text) {
  Reader reader(text);
  const bool is_negative = reader.take('-');
  const bool is_clock = text.find(':') != std::string_view::npos;
  const auto seconds = is_clock ? read_clock(reader) : read_sum(reader);
  if (!seconds || !std::isfinite(*seconds)) return {};
  return RelTime{is_negative ? -*seconds : *seconds};
}

std::string print_abs_time(const AbsTime& time) {
  const double whole = std::floor(time.seconds);
  if (!is_whole_below(whole, 1e15)) return print_real(time.seconds);
  const auto local = static_cast<std::int64_t>(whole) + time.zone;
  if (local < first_second || local >= behind_last) return print_real(time.seconds);
  const auto days = (local - first_second) / day + first_second / day;
  const auto seconds = local - days * day;
  const auto date = date_of(days);
  const auto year = std::to_string(date.year);
  const auto offset = time.zone < 0 ? -time.zone : time.zone;
  return std::string(4 - year.size(), '0') + year + "-" + two_digits(date.month) + "-" +
         two_digits(date.day) + "T" + clock_of(seconds) + ":" + two_digits(seconds % 60) +
         print_fraction(time.seconds - whole) + (time.zone < 0 ? "-" : "+") + clock_of(offset);
}

std::string print_rel_time(double seconds) {
  if (!is_whole_below(seconds, 1e15)) return print_real(seconds);
  auto left = static_cast<std::int64_t>(seconds);
  if (left == 0) return "0s";
  std::string text = left < 0 ? "-" : "";
  left = left < 0 ? -left : left;
  for (const char letter : {'d', 'h', 'm', 's'}) {
    const auto count = left / seconds_of_unit(letter);
    if (count) text += std::to_string(count) + letter;
    left %= seconds_of_unit(letter);
  }
  return text;
}

} // namespace almanac
