#include "core/request/plus_values.hpp"

#include "core/base/last_second.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t minute = 60, hour = 3'600, day = 86'400;

const Error no_time{"this is not a time: [[CC]YY]MMDDhhmm[.SS], YYYY-MM-DDThh:mm:ss[+hh:mm], now, "
                    "+DURATION or @SECONDS"};
const Error no_duration{"this is not a duration: seconds, [h:]m:s, or a sum such as 1d12h"};

Result<Instant> in_bounds(std::int64_t seconds) {
  if (seconds < 0 || seconds > last_second) return no_time;
  return Instant{seconds};
}

// The digits at this place; nothing where something else is there.
std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return std::nullopt;
  const auto part = text.substr(at, count);
  if (!all_digits(part)) return std::nullopt;
  return static_cast<int>(*parse_number(part));
}

// YYYY-MM-DDThh:mm:ss, the first 19 characters.
constexpr std::size_t length_of_iso = 19;
std::optional<DateTime> iso_date(std::string_view text) {
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), of_month = digits(text, 8, 2);
  const auto h = digits(text, 11, 2), m = digits(text, 14, 2), s = digits(text, 17, 2);
  if (!year || !month || !of_month || !h || !m || !s) return std::nullopt;
  if (text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*of_month))};
  if (!date.ok() || *year < 1970 || *h > 23 || *m > 59 || *s > 59) return std::nullopt;
  return DateTime{*year, *month, *of_month, *h, *m, *s};
}

// Z or +hh:mm, in seconds east of Greenwich.
std::optional<std::int64_t> zone_offset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  const auto h = digits(text, 1, 2), m = digits(text, 4, 2);
  if (text.size() != 6 || !h || !m || text[3] != ':' || *h > 23 || *m > 59) return std::nullopt;
  if (text.front() != '+' && text.front() != '-') return std::nullopt;
  const auto offset = *h * hour + *m * minute;
  return text.front() == '+' ? offset : -offset;
}

Result<Instant> iso_time(std::string_view text, const PlusClock& clock) {
  const auto date = iso_date(text);
  if (!date) return no_time;
  const auto zone = text.substr(length_of_iso);
  if (zone.empty()) return clock.to_instant(*date);
  const auto offset = zone_offset(zone);
  if (!offset) return no_time;
  const auto days = std::chrono::sys_days(std::chrono::year_month_day{
      std::chrono::year(date->year), std::chrono::month(static_cast<unsigned>(date->month)),
      std::chrono::day(static_cast<unsigned>(date->day))});
  const auto seconds = days.time_since_epoch().count() * day + date->hour * hour +
                       date->minute * minute + date->second;
  return in_bounds(seconds - *offset);
}

Result<Duration> sum_of_units(std::string_view text) {
  std::int64_t sum = 0;
  while (!text.empty()) {
    const auto end = text.find_first_not_of("0123456789");
    if (end == 0 || end == std::string_view::npos) return no_duration;
    const auto number = parse_number(text.substr(0, end));
    const auto unit = seconds_of_unit(text[end]);
    if (!number || unit == 0 || *number > (hundred_years.seconds - sum) / unit) return no_duration;
    sum += *number * unit;
    text.remove_prefix(end + 1);
  }
  return Duration{sum};
}

// A leading zero is no other base here: 010 are ten seconds.
Result<Duration> whole_seconds(std::string_view text) {
  const auto seconds = parse_number(text);
  return seconds ? Result<Duration>(Duration{*seconds}) : no_duration;
}

} // namespace

Result<Instant> parse_plus_time(std::string_view text, const PlusClock& clock) {
  if (text == "now") return clock.now;
  if (text.starts_with('+')) {
    const auto length = parse_plus_duration(text.substr(1));
    return length ? in_bounds((clock.now + *length).seconds) : Result<Instant>(length.error());
  }
  if (text.starts_with('@')) {
    const auto seconds = parse_number(text.substr(1));
    return seconds ? in_bounds(*seconds) : no_time;
  }
  if (text.find('-') != std::string_view::npos) return iso_time(text, clock);
  const auto date = parse_date_time(text);
  return date ? clock.to_instant(*date) : no_time;
}

Result<Duration> parse_plus_duration(std::string_view text) {
  if (text.empty()) return no_duration;
  const bool has_units = text.find_first_of("dhms") != std::string_view::npos;
  if (has_units) return sum_of_units(text);
  if (text.find_first_not_of("0123456789:") != std::string_view::npos) return no_duration;
  const auto length = all_digits(text) ? whole_seconds(text) : parse_duration(text);
  if (!length || *length > hundred_years) return no_duration;
  return *length;
}

Result<ReservationNumber> parse_plus_id(std::string_view text) {
  const auto number = parse_reservation_id(text);
  if (!number || !*number) return Error{"this is not the id of a reservation: R123 or 123"};
  return *number;
}

Result<std::vector<std::string>> parse_plus_names(std::string_view text) {
  auto names = split(text, ',');
  if (names.empty()) return Error{"no name is given"};
  for (const auto& name : names) {
    if (name.empty()) return Error{"a name is empty"};
    if (std::any_of(name.begin(), name.end(), [](char c) { return c == ' ' || is_control(c); }))
      return Error{"a name has a blank or a control character in it"};
  }
  return names;
}

Result<std::vector<std::string>> parse_plus_users(std::string_view text) {
  auto users = parse_plus_names(text);
  if (!users) return users;
  std::set<std::string_view> known;
  std::vector<std::string> each;
  for (const auto& user : *users) {
    if (user == "@" || user.find_first_of("!*?[]") != std::string::npos)
      return Error{"only names of users and @lists are taken"};
    if (known.insert(user).second) each.push_back(user);
  }
  return each;
}

Result<std::string> parse_plus_memory(std::string_view text) {
  const Error wrong{"this is not an amount of memory: a number, perhaps with K, M or G"};
  const auto end = text.find_first_not_of("0123456789");
  const auto letter = end == std::string_view::npos ? std::string_view() : text.substr(end);
  constexpr std::string_view letters = "kKmMgG";
  const bool is_known =
      letter.empty() || (letter.size() == 1 && letters.find(letter.front()) != letters.npos);
  const auto bytes = is_known && end != 0 ? parse_memory(text) : Result<std::int64_t>(wrong);
  if (!bytes || *bytes <= 0) return wrong;
  return std::string(text);
}

Result<std::int64_t> parse_plus_count(std::string_view text, std::int64_t least,
                                      std::int64_t most) {
  const auto number = parse_number(text);
  if (!number || *number < least || *number > most)
    return Error{"this is not a number from " + std::to_string(least) + " to " +
                 std::to_string(most)};
  return *number;
}

} // namespace almanac
