#include "core/reservation/repeat_rule.hpp"

#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace almanac {

namespace {

using std::chrono::weekday;

constexpr std::size_t longest_rule = 1024; // bytes
constexpr std::array<std::string_view, 4> frequencies{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"};
constexpr std::array<std::string_view, 7> weekdays{"SU", "MO", "TU", "WE", "TH", "FR", "SA"};

template <class Names> std::optional<unsigned> place_in(const Names& names, std::string_view word) {
  for (unsigned i = 0; i < names.size(); ++i)
    if (equal_ignoring_case(names[i], word)) return i;
  return std::nullopt;
}

Error wrong(std::string_view name, std::string_view value, std::string_view allowed) {
  return Error{std::string(name) + "=" + excerpt(value) + ": expected " + std::string(allowed)};
}

// ---- the values of parts ----------------------------------------------------------------------

Result<int> number_in(std::string_view name, std::string_view value, int low, int high) {
  const auto number = parse_number(value);
  if (!number || *number < low || *number > high)
    return wrong(name, value,
                 "a number from " + std::to_string(low) + " to " + std::to_string(high));
  return static_cast<int>(*number);
}

// From `low` to `high`; with `from_end` also the same with a minus in front, counted from the end.
Result<std::vector<int>> numbers(std::string_view name, std::string_view value, int low, int high,
                                 bool from_end) {
  std::vector<int> list;
  for (const auto& word : split(value, ',')) {
    const auto number = parse_signed(word);
    const auto size = number ? std::abs(*number) : -1;
    if (!number || size < low || size > high || (*number < 0 && !from_end))
      return wrong(name, word,
                   "numbers from " + std::to_string(low) + " to " + std::to_string(high) +
                       (from_end ? ", with - in front counted from the end" : ""));
    list.push_back(static_cast<int>(*number));
  }
  if (list.empty()) return wrong(name, value, "a list of numbers");
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

Result<NumberedWeekday> numbered_weekday(std::string_view word) {
  const auto name = word.substr(word.size() - std::min<std::size_t>(word.size(), 2));
  const auto number = word.substr(0, word.size() - name.size());
  const auto day = place_in(weekdays, name);
  const auto which = number.empty() ? Result<std::int64_t>(0) : parse_signed(number);
  if (!day || !which || *which < -5 || *which > 5 || (!number.empty() && *which == 0))
    return wrong("BYDAY", word, "MO, TU, WE, TH, FR, SA or SU, with 1 to 5 or -1 to -5 in front");
  return NumberedWeekday{static_cast<int>(*which), weekday(*day)};
}

Result<std::vector<NumberedWeekday>> numbered_weekdays(std::string_view value) {
  std::vector<NumberedWeekday> list;
  for (const auto& word : split(value, ',')) {
    auto day = numbered_weekday(word);
    if (!day) return day.error();
    list.push_back(*day);
  }
  if (list.empty()) return wrong("BYDAY", value, "a list of weekdays");
  return list;
}

// yyyymmdd, or with Thhmmss and perhaps Z behind it. A date alone includes its day.
Result<RepeatUntil> until(std::string_view value) {
  const auto error = wrong("UNTIL", value, "a date as 20270131, or as 20270131T235900");
  const auto digits = [&](std::size_t from, std::size_t length) {
    const auto part = value.substr(std::min(from, value.size()), length);
    const auto number = part.size() == length && all_digits(part) ? parse_number(part)
                                                                  : Result<std::int64_t>(Error{});
    return number ? static_cast<int>(*number) : -1;
  };
  const bool is_utc = value.size() == 16 && (value.back() == 'Z' || value.back() == 'z');
  const bool has_time = is_utc || value.size() == 15;
  if (value.size() != 8 && !has_time) return error;
  const std::chrono::year_month_day date{std::chrono::year(digits(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(digits(4, 2))),
                                         std::chrono::day(static_cast<unsigned>(digits(6, 2)))};
  if (!date.ok() || digits(0, 4) < 1970) return error;
  const auto midnight = std::chrono::local_days(date);
  if (!has_time) return RepeatUntil{midnight + std::chrono::seconds(86399), false};
  const int hour = digits(9, 2), minute = digits(11, 2), second = digits(13, 2);
  if ((value[8] != 'T' && value[8] != 't') || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 59)
    return error;
  return RepeatUntil{midnight + std::chrono::seconds(hour * 3600 + minute * 60 + second), is_utc};
}

// ---- parts ------------------------------------------------------------------------------------

template <class T> Outcome keep(T& into, Result<T> read) {
  if (!read) return read.error();
  into = std::move(*read);
  return Done{};
}

Outcome read_week_start(RepeatRule& rule, std::string_view value) {
  const auto day = place_in(weekdays, value);
  if (!day) return wrong("WKST", value, "MO, TU, WE, TH, FR, SA or SU");
  rule.week_start = weekday(*day);
  return Done{};
}

struct Part {
  std::string_view name;
  Outcome (*read)(RepeatRule&, std::string_view value);
};

const Part parts[]{
    {"INTERVAL",
     [](RepeatRule& r, std::string_view v) {
       return keep(r.interval, number_in("INTERVAL", v, 1, 999));
     }},
    {"COUNT", [](RepeatRule& r,
                 std::string_view v) { return keep(r.count, number_in("COUNT", v, 1, 9999)); }},
    {"UNTIL",
     [](RepeatRule& r, std::string_view v) -> Outcome {
       const auto read = until(v);
       if (!read) return read.error();
       r.until = *read;
       return Done{};
     }},
    {"WKST", read_week_start},
    {"BYMONTH",
     [](RepeatRule& r, std::string_view v) {
       return keep(r.months, numbers("BYMONTH", v, 1, 12, false));
     }},
    {"BYMONTHDAY",
     [](RepeatRule& r, std::string_view v) {
       return keep(r.month_days, numbers("BYMONTHDAY", v, 1, 31, true));
     }},
    {"BYDAY", [](RepeatRule& r, std::string_view v) { return keep(r.days, numbered_weekdays(v)); }},
    {"BYHOUR",
     [](RepeatRule& r, std::string_view v) {
       return keep(r.hours, numbers("BYHOUR", v, 0, 23, false));
     }},
    {"BYMINUTE",
     [](RepeatRule& r, std::string_view v) {
       return keep(r.minutes, numbers("BYMINUTE", v, 0, 59, false));
     }},
    {"BYSETPOS",
     [](RepeatRule& r, std::string_view v) {
       return keep(r.positions, numbers("BYSETPOS", v, 1, 366, true));
     }},
};

constexpr std::string_view part_names =
    "INTERVAL, COUNT, UNTIL, WKST, BYMONTH, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE or BYSETPOS";

Result<Frequency> read_frequency(std::string_view part) {
  const auto sign = part.find('=');
  if (sign == part.npos || !equal_ignoring_case(part.substr(0, sign), "FREQ"))
    return Error{"\"" + excerpt(part) +
                 "\": a rule begins with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY"};
  const auto value = part.substr(sign + 1);
  if (const auto frequency = place_in(frequencies, value))
    return static_cast<Frequency>(*frequency);
  for (const auto* shorter : {"HOURLY", "MINUTELY", "SECONDLY"})
    if (equal_ignoring_case(value, shorter))
      return Error{"FREQ=" + std::string(value) +
                   " is not supported: use FREQ=DAILY;BYHOUR=0,6,12,18"};
  return wrong("FREQ", value, "DAILY, WEEKLY, MONTHLY or YEARLY");
}

Outcome read_part(RepeatRule& rule, std::vector<std::string_view>& seen, std::string_view text) {
  const auto name = text.substr(0, text.find('='));
  if (equal_ignoring_case(name, "FREQ")) return Error{"FREQ stands there twice"};
  const auto* part = std::find_if(std::begin(parts), std::end(parts), [&](const Part& one) {
    return equal_ignoring_case(one.name, name);
  });
  if (part == std::end(parts) || name.size() == text.size())
    return Error{"\"" + excerpt(text) + "\": expected " + std::string(part_names) +
                 ", each with = and a value"};
  if (std::find(seen.begin(), seen.end(), part->name) != seen.end())
    return Error{std::string(part->name) + " stands there twice"};
  seen.push_back(part->name);
  return part->read(rule, text.substr(name.size() + 1));
}

// ---- parts that do not go together ------------------------------------------------------------

// 29 days for February: there are years that have them.
int longest(int month) {
  return month == 2 ? 29 : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

Outcome days_can_come(const RepeatRule& rule) {
  if (rule.months.empty()) return Done{};
  for (const int day : rule.month_days)
    if (std::none_of(rule.months.begin(), rule.months.end(),
                     [&](int month) { return std::abs(day) <= longest(month); }))
      return Error{"BYMONTHDAY=" + std::to_string(day) + ": no month of BYMONTH has that day"};
  return Done{};
}

Outcome together(const RepeatRule& rule) {
  const bool monthly = rule.frequency == Frequency::monthly;
  const bool yearly = rule.frequency == Frequency::yearly;
  const bool numbered =
      std::any_of(rule.days.begin(), rule.days.end(), [](auto& day) { return day.number != 0; });
  if (rule.count != 0 && rule.until) return Error{"COUNT and UNTIL exclude each other"};
  if (numbered && !monthly && !(yearly && !rule.months.empty()))
    return Error{"BYDAY: a number in front of a weekday needs FREQ=MONTHLY, or FREQ=YEARLY with "
                 "BYMONTH"};
  if (!rule.positions.empty() && !monthly && !yearly)
    return Error{"BYSETPOS needs FREQ=MONTHLY or FREQ=YEARLY"};
  if (!rule.month_days.empty() && rule.frequency == Frequency::weekly)
    return Error{"BYMONTHDAY does not go with FREQ=WEEKLY: use FREQ=DAILY or FREQ=MONTHLY"};
  return days_can_come(rule);
}

} // namespace

Result<RepeatRule> parse_repeat_rule(std::string_view text) {
  if (text.size() > longest_rule)
    return Error{"the rule has more than " + std::to_string(longest_rule) + " characters"};
  const auto texts = split(text, ';');
  RepeatRule rule;
  const auto frequency = read_frequency(texts.empty() ? "" : texts.front());
  if (!frequency) return frequency.error();
  rule.frequency = *frequency;
  std::vector<std::string_view> seen;
  for (std::size_t i = 1; i < texts.size(); ++i)
    if (auto read = read_part(rule, seen, texts[i]); !read) return read.error();
  if (auto fits = together(rule); !fits) return fits.error();
  return rule;
}

} // namespace almanac
