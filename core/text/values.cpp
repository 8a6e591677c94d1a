#include "core/text/values.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>

namespace almanac {

namespace {

constexpr auto highest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_seconds = 100'000'000'000; // in a part of a time

Error bad(std::string_view kind, std::string_view text) {
  return {"\"" + excerpt(text) + "\" is not a valid " + std::string(kind)};
}

// As C writes them: 0x10 is sixteen, 010 is eight.
bool has_other_base(std::string_view text) {
  return text.size() > 1 && text.front() == '0' &&
         (text[1] == 'x' || text[1] == 'X' || all_digits(text));
}

std::optional<std::int64_t> parse_other_base(std::string_view text) {
  const bool is_hexadecimal = !all_digits(text);
  const auto digits = text.substr(is_hexadecimal ? 2 : 1);
  std::int64_t value = 0;
  if (digits.empty() || digits.front() == '-' || digits.front() == '+') return std::nullopt;
  const auto* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value, is_hexadecimal ? 16 : 8);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

} // namespace

Result<ReservationNumber> parse_reservation_id(std::string_view text) {
  const auto number = parse_number(text.starts_with('R') ? text.substr(1) : text);
  if (!number) return number.error();
  return ReservationNumber{*number};
}

std::optional<ReservationNumber> parse_reservation_queue(std::string_view name) {
  if (!name.starts_with('R')) return std::nullopt;
  const auto number = parse_number(name.substr(1));
  return number && *number > 0 ? std::optional(ReservationNumber{*number}) : std::nullopt;
}

Result<Duration> parse_duration(std::string_view text) {
  if (equal_ignoring_case(text, "INFINITY")) return Duration::endless();
  if (has_other_base(text)) {
    const auto value = parse_other_base(text);
    if (!value || *value > most_seconds) return bad("time", text);
    return Duration{*value};
  }
  const auto parts = split(text, ':');
  if (parts.empty() || parts.size() > 3) return bad("time", text);
  std::int64_t seconds = 0;
  bool any = false;
  for (const auto& part : parts) {
    std::int64_t value = 0;
    if (!part.empty()) {
      auto number = parse_number(part);
      if (!number || *number > most_seconds) return bad("time", text);
      value = *number;
      any = true;
    }
    seconds = seconds * 60 + value;
  }
  if (!any) return bad("time", text);
  return Duration{seconds};
}

std::int64_t seconds_of_unit(char letter) {
  switch (letter) {
  case 's': return 1;
  case 'm': return 60;
  case 'h': return 3'600;
  case 'd': return 86'400;
  default: return 0;
  }
}

std::string print_duration(Duration value) {
  if (value.is_endless()) return "INFINITY";
  char buffer[48];
  std::snprintf(
      buffer, sizeof buffer, "%02lld:%02lld:%02lld", static_cast<long long>(value.seconds / 3600),
      static_cast<long long>(value.seconds / 60 % 60), static_cast<long long>(value.seconds % 60));
  return buffer;
}

Result<std::int64_t> parse_memory(std::string_view text) {
  if (equal_ignoring_case(text, "INFINITY")) return highest;
  if (text.empty()) return bad("memory size", text);
  std::int64_t factor = 1;
  switch (text.back()) {
  case 'k': factor = 1000; break;
  case 'K': factor = 1LL << 10; break;
  case 'm': factor = 1'000'000; break;
  case 'M': factor = 1LL << 20; break;
  case 'g': factor = 1'000'000'000; break;
  case 'G': factor = 1LL << 30; break;
  case 't': factor = 1'000'000'000'000; break;
  case 'T': factor = 1LL << 40; break;
  default: break;
  }
  const auto digits = factor == 1 ? text : text.substr(0, text.size() - 1);
  if (has_other_base(digits)) {
    const auto count = parse_other_base(digits);
    if (!count || *count > highest / factor) return bad("memory size", text);
    return *count * factor;
  }
  auto amount = parse_millionths(digits);
  if (!amount || *amount < 0) return bad("memory size", text);
  const auto value = static_cast<__int128>(*amount) * factor / 1'000'000;
  if (value > highest) return bad("memory size", text);
  return static_cast<std::int64_t>(value);
}

std::string print_memory(std::int64_t bytes) {
  if (bytes == highest) return "INFINITY";
  constexpr std::array units{'\0', 'K', 'M', 'G', 'T'};
  std::size_t unit = 0;
  std::int64_t scale = 1;
  while (unit + 1 < units.size() && bytes >= scale * 1024) scale *= 1024, ++unit;
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.3f",
                static_cast<double>(bytes) / static_cast<double>(scale));
  std::string text = buffer;
  if (unit) text += units[unit];
  return text;
}

Result<std::int64_t> parse_millionths(std::string_view text) {
  const bool negative = text.starts_with('-');
  const auto digits = negative || text.starts_with('+') ? text.substr(1) : text;
  const auto point = digits.find('.');
  const auto whole_text = digits.substr(0, point);
  auto fraction_text =
      point == std::string_view::npos ? std::string() : std::string(digits.substr(point + 1));
  if (whole_text.empty() && fraction_text.empty()) return bad("number", text);
  if (point != std::string_view::npos && !fraction_text.empty() && !all_digits(fraction_text))
    return bad("number", text);
  std::int64_t whole = 0;
  if (!whole_text.empty()) {
    auto number = parse_number(whole_text);
    if (!number || *number > highest / 1'000'000 - 1) return bad("number", text);
    whole = *number;
  }
  const bool has_rest = fraction_text.find_first_not_of('0', 6) != std::string::npos;
  fraction_text.resize(6, '0');
  const auto value = whole * 1'000'000 + *parse_number(fraction_text);
  return negative ? -value - has_rest : value; // downwards: what is below zero stays there
}

std::string print_millionths(std::int64_t value) {
  const auto size = value < 0 ? -static_cast<__int128>(value) : static_cast<__int128>(value);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%s%lld.%06lld", value < 0 ? "-" : "",
                static_cast<long long>(size / 1'000'000), static_cast<long long>(size % 1'000'000));
  return buffer;
}

Result<bool> parse_switch(std::string_view text) {
  const auto word = lower(text);
  if (word == "true" || word == "1" || word == "y" || word == "yes") return true;
  if (word == "false" || word == "0" || word == "n" || word == "no") return false;
  return bad("switch (y or n)", text);
}

bool is_host_or_address(std::string_view text) {
  return !text.empty() && text.size() <= 255 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '.' || c == ':' || c == '-' || c == '_';
         });
}

Result<DateTime> parse_date_time(std::string_view text) {
  DateTime date;
  auto digits = text;
  if (const auto point = text.find('.'); point != std::string_view::npos) {
    const auto seconds = text.substr(point + 1);
    if (seconds.size() != 2 || !all_digits(seconds)) return bad("date", text);
    date.second = static_cast<int>(*parse_number(seconds));
    digits = text.substr(0, point);
  }
  if (!all_digits(digits)) return bad("date", text);
  if (digits.size() == 12) {
    date.year = static_cast<int>(*parse_number(digits.substr(0, 4)));
    digits.remove_prefix(4);
  } else if (digits.size() == 10) {
    const auto short_year = static_cast<int>(*parse_number(digits.substr(0, 2)));
    date.year = short_year < 70 ? 2000 + short_year : 1900 + short_year;
    digits.remove_prefix(2);
  }
  if (digits.size() != 8) return bad("date", text);
  const auto field = [&](std::size_t at) {
    return static_cast<int>(*parse_number(digits.substr(at, 2)));
  };
  date.month = field(0), date.day = field(2), date.hour = field(4), date.minute = field(6);
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31 || date.hour > 23 ||
      date.minute > 59 || date.second > 59)
    return bad("date", text);
  return date;
}

} // namespace almanac
