// Times of the metascheduler's lines.
#include "core/request/site_request.hpp"

#include "core/request/valid.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace almanac {

namespace {

// 1 to `most`, with a unit of so many seconds.
std::optional<std::int64_t> product(std::string_view number, std::int64_t unit, std::int64_t most) {
  const auto count = parse_number(number);
  if (!count || *count < 1 || *count > most / unit) return std::nullopt;
  return *count * unit;
}

constexpr std::array<std::string_view, 7> weekdays{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

std::optional<int> weekday_of(std::string_view name) {
  const auto it = std::find_if(weekdays.begin(), weekdays.end(),
                               [&](auto day) { return equal_ignoring_case(day, name); });
  if (it == weekdays.end()) return std::nullopt;
  return static_cast<int>(it - weekdays.begin());
}

// "mon-fri+sun"; a range may go over Saturday.
std::optional<std::int64_t> days_of(std::string_view text) {
  std::int64_t days = 0;
  for (const auto& range : split(text, '+')) {
    const auto dash = range.find('-');
    const auto first = weekday_of(std::string_view(range).substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : weekday_of(std::string_view(range).substr(dash + 1));
    if (!first || !last) return std::nullopt;
    for (int day = *first;; day = (day + 1) % 7) {
      days |= std::int64_t{1} << day;
      if (day == *last) break;
    }
  }
  return days == 0 ? std::nullopt : std::optional(days);
}

bool read_hours(std::string_view text, StartSearch& search) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return false;
  const auto from = parse_number(text.substr(0, dash)), to = parse_number(text.substr(dash + 1));
  if (!from || !to || *from > 23 || *to < 1 || *to > 24 || *from == *to) return false;
  search.from_hour = *from, search.to_hour = *to;
  return true;
}

bool read_time(std::string_view text, Instant& into) {
  const auto seconds = parse_number(text);
  if (!seconds || *seconds < 1 || *seconds > last_second) return false;
  into = {*seconds};
  return true;
}

bool read_part(std::string_view name, std::string_view value, StartSearch& search) {
  if (name == "earliest") return read_time(value, search.earliest);
  if (name == "latest") return read_time(value, search.latest);
  if (name == "endby") return read_time(value, search.end_by);
  if (name == "hours") return read_hours(value, search);
  if (name != "days") return false;
  const auto days = days_of(value);
  search.days = days.value_or(0);
  return days.has_value();
}

} // namespace

std::optional<TimeNeeded> parse_time_needed(std::string_view text) {
  const auto colon = text.find(':');
  const auto amount = trim(text.substr(0, colon));
  const auto kind = colon == std::string_view::npos ? "WALL" : trim(text.substr(colon + 1));
  const bool is_cpu = equal_ignoring_case(kind, "CPU");
  if (amount.empty() || (!is_cpu && !equal_ignoring_case(kind, "WALL"))) return std::nullopt;
  const auto unit = seconds_of_unit(lower(amount.substr(amount.size() - 1)).front());
  if (unit == 0) return std::nullopt;
  const auto seconds = product(amount.substr(0, amount.size() - 1), unit, longest_time);
  if (!seconds) return std::nullopt;
  return TimeNeeded{{*seconds}, is_cpu};
}

std::optional<StartSearch> parse_time_spec(std::string_view text) {
  StartSearch search;
  std::set<std::string> seen;
  for (const auto& part : split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) return std::nullopt;
    const auto name = lower(trim(std::string_view(part).substr(0, equals)));
    if (!seen.insert(name).second) return std::nullopt;
    if (!read_part(name, trim(std::string_view(part).substr(equals + 1)), search))
      return std::nullopt;
  }
  const bool is_empty = search.latest != Instant{} && search.earliest > search.latest;
  if (seen.empty() || is_empty) return std::nullopt;
  return search;
}

} // namespace almanac
