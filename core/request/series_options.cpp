#include "core/request/series_options.hpp"

#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <chrono>
#include <optional>

namespace almanac {

namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::seconds;

constexpr std::int64_t day = 86400;

int number(std::string_view digits) {
  int value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  return value;
}

std::optional<std::int64_t> day_of(int year, int month, int of_month) {
  const std::chrono::year_month_day date{std::chrono::year(year) / month / of_month};
  if (!date.ok() || year < 1970) return std::nullopt;
  return local_days(date).time_since_epoch().count();
}

int year_at(const TimeZone& zone, Instant now) {
  const local_seconds shown{seconds(now.seconds + zone.ahead(now))};
  return static_cast<int>(std::chrono::year_month_day{std::chrono::floor<days>(shown)}.year());
}

// [[CC]YY]MMDD as local day; also CCYY-MM-DD. Two digits of a year are of this century, as -a has it.
std::optional<std::int64_t> read_day(std::string_view text, int this_year) {
  std::string digits(text);
  if (text.size() == 10 && text[4] == '-' && text[7] == '-') std::erase(digits, '-');
  if (!all_digits(digits)) return std::nullopt;
  const auto size = digits.size();
  if (size != 4 && size != 6 && size != 8) return std::nullopt;
  const auto in_year = std::string_view(digits).substr(size - 4);
  const auto written = std::string_view(digits).substr(0, size - 4);
  const int year = size == 4 ? this_year : size == 6 ? 2000 + number(written) : number(written);
  return day_of(year, number(in_year.substr(0, 2)), number(in_year.substr(2)));
}

std::optional<std::int64_t> read_time(std::string_view text) {
  if (!is_time_of_day(text)) return std::nullopt;
  return number(text.substr(0, 2)) * 3600 + number(text.substr(2)) * 60;
}

Result<std::int64_t> read_start(const std::string& text, int this_year) {
  const Error wrong{"Wrong date/time format \"" + text + "\" specified to -a option"};
  const auto date = parse_date_time(text);
  if (!date) return wrong;
  const auto start = day_of(date->year < 0 ? this_year : date->year, date->month, date->day);
  if (!start) return wrong;
  return *start * day + date->hour * 3600 + date->minute * 60 + date->second;
}

// A day alone is meant to its end. Of eight digits the first two are a month or a century.
Result<std::int64_t> read_until(const std::string& text, int this_year) {
  const bool has_time =
      text.size() > 8 || (text.size() == 8 && all_digits(text) && number(text.substr(0, 2)) <= 12);
  const auto date = has_time ? text.substr(0, text.size() - 4) : text;
  const auto until = read_day(date, this_year);
  const auto time = has_time ? read_time(text.substr(text.size() - 4)) : day - 1;
  if (!until || !time)
    return Error{"option -until \"" + excerpt(text) + "\": a date [[CC]YY]MMDD[hhmm] is expected"};
  return *until * day + *time;
}

} // namespace

std::string SeriesOptions::needs_rule() const {
  return !skipped.empty()    ? "-skip"
         : !until.empty()    ? "-until"
         : !zone.empty()     ? "-zone"
         : !conflict.empty() ? "-conflict"
                             : "";
}

bool is_time_of_day(std::string_view text) {
  return text.size() == 4 && all_digits(text) && number(text.substr(0, 2)) < 24 &&
         number(text.substr(2)) < 60;
}

namespace {

Result<Recurrence> read(const SeriesOptions& options, TimeZone zone, Instant now) {
  const int this_year = year_at(zone, now);
  Recurrence recurrence;
  recurrence.rule = options.rule;
  recurrence.zone = options.zone;
  if (!options.start.empty()) {
    const auto first = read_start(options.start, this_year);
    if (!first) return first.error();
    recurrence.first = *first;
  }
  if (const auto end = read_time(options.end)) recurrence.ends_at = *end == 0 ? day : *end;
  if (!options.until.empty()) {
    const auto until = read_until(options.until, this_year);
    if (!until) return until.error();
    recurrence.until = *until;
  }
  for (const auto& word : options.skipped) {
    const auto skipped = read_day(word, this_year);
    if (!skipped)
      return Error{"option -skip \"" + excerpt(word) + "\": a date [[CC]YY]MMDD is expected"};
    recurrence.skipped.push_back(*skipped);
  }
  recurrence.waits = options.conflict == "wait";
  recurrence.zone_changes = std::move(zone.changes);
  return recurrence;
}

} // namespace

Result<Recurrence> recurrence_of(const SeriesOptions& options, TimeZone zone, Instant now) {
  auto recurrence = read(options, std::move(zone), now);
  if (!recurrence) return recurrence;
  if (auto sound = valid(*recurrence); !sound) return sound.error();
  return recurrence;
}

Result<Recurrence> changed_recurrence(const SeriesOptions& options, TimeZone zone, Instant now) {
  auto recurrence = read(options, std::move(zone), now);
  if (!recurrence) return recurrence;
  if (auto sound = valid_parts(*recurrence); !sound) return sound.error();
  return recurrence;
}

} // namespace almanac
