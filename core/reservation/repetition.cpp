#include "core/reservation/repetition.hpp"

#include <algorithm>
#include <set>

namespace almanac {

namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::months;
using std::chrono::seconds;
using std::chrono::year_month;
using std::chrono::year_month_day;

template <class T> bool contains(const std::vector<T>& list, const T& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

int number(std::chrono::day day) { return static_cast<int>(static_cast<unsigned>(day)); }
int number(std::chrono::month month) { return static_cast<int>(static_cast<unsigned>(month)); }

local_days first_of(year_month month) { return local_days(month / 1); }

// What the rule leaves open is as in the first occurrence.
RepeatRule completed(RepeatRule rule, local_seconds first) {
  const auto day = std::chrono::floor<days>(first);
  const year_month_day date{day};
  const auto time = std::chrono::duration_cast<std::chrono::minutes>(first - day).count();
  const bool no_days = rule.days.empty() && rule.month_days.empty();
  if (rule.frequency == Frequency::weekly && no_days) rule.days = {{0, std::chrono::weekday(day)}};
  if (rule.frequency == Frequency::yearly && no_days && rule.months.empty())
    rule.months = {number(date.month())};
  if ((rule.frequency == Frequency::monthly || rule.frequency == Frequency::yearly) && no_days)
    rule.month_days = {number(date.day())};
  if (rule.hours.empty()) rule.hours = {static_cast<int>(time / 60)};
  if (rule.minutes.empty()) rule.minutes = {static_cast<int>(time % 60)};
  return rule;
}

bool is_numbered(const NumberedWeekday& wanted, local_days day) {
  if (std::chrono::weekday(day) != wanted.day) return false;
  if (wanted.number == 0) return true;
  const year_month_day date{day};
  const auto in_month = number(date.day());
  if (wanted.number > 0) return (in_month - 1) / 7 + 1 == wanted.number;
  const auto last = number(
      std::chrono::year_month_day_last(date.year(), {date.month() / std::chrono::last}).day());
  return (last - in_month) / 7 + 1 == -wanted.number;
}

bool fits(const RepeatRule& rule, local_days day) {
  const year_month_day date{day};
  const auto last = number((date.year() / date.month() / std::chrono::last).day());
  const auto in_month = number(date.day());
  if (!rule.months.empty() && !contains(rule.months, number(date.month()))) return false;
  if (!rule.month_days.empty() && !contains(rule.month_days, in_month) &&
      !contains(rule.month_days, in_month - last - 1))
    return false;
  return rule.days.empty() || std::any_of(rule.days.begin(), rule.days.end(),
                                          [&](auto& wanted) { return is_numbered(wanted, day); });
}

// The days of the period that is `count` periods behind that of `day`.
struct Period {
  local_days begin, end;
};
Period period_after(const RepeatRule& rule, local_days day, int count) {
  const year_month_day date{day};
  switch (rule.frequency) {
  case Frequency::daily: return {day + days(count), day + days(count + 1)};
  case Frequency::weekly: {
    const auto week = day - (std::chrono::weekday(day) - rule.week_start);
    return {week + days(7 * count), week + days(7 * (count + 1))};
  }
  case Frequency::monthly: {
    const auto month = date.year() / date.month() + months(count);
    return {first_of(month), first_of(month + months(1))};
  }
  case Frequency::yearly: {
    const auto year = date.year() + std::chrono::years(count);
    return {first_of(year / 1), first_of((year + std::chrono::years(1)) / 1)};
  }
  }
  return {day, day};
}

std::vector<local_seconds> picked(const std::vector<local_seconds>& all,
                                  const std::vector<int>& positions) {
  if (positions.empty()) return all;
  const auto size = static_cast<int>(all.size());
  std::set<local_seconds> some;
  for (const int position : positions) {
    const int index = position > 0 ? position - 1 : size + position;
    if (index >= 0 && index < size) some.insert(all[static_cast<std::size_t>(index)]);
  }
  return {some.begin(), some.end()};
}

std::vector<local_seconds> starts_in(const RepeatRule& rule, const Period& period,
                                     seconds of_minute) {
  std::vector<local_seconds> starts;
  for (auto day = period.begin; day < period.end; day += days(1))
    if (fits(rule, day))
      for (const int hour : rule.hours)
        for (const int minute : rule.minutes)
          starts.push_back(day + seconds(hour * 3600 + minute * 60) + of_minute);
  return picked(starts, rule.positions);
}

} // namespace

std::vector<local_seconds> starts_of(const RepeatRule& given, local_seconds first,
                                     local_seconds end, std::size_t most, local_seconds from) {
  const auto rule = completed(given, first);
  if (rule.until) end = std::min(end, rule.until->at + seconds(1));
  const auto day = std::chrono::floor<days>(first);
  const auto of_minute = (first - day) % seconds(60);
  std::vector<local_seconds> starts;
  int counted = 0;
  const auto is_open = [&] {
    return starts.size() < most && (rule.count == 0 || counted < rule.count);
  };
  for (int count = 0; is_open(); count += rule.interval) {
    const auto period = period_after(rule, day, count);
    if (local_seconds(period.begin) >= end) break;
    if (rule.count == 0 && local_seconds(period.end) <= from) continue; // nobody counts these
    for (const auto start : starts_in(rule, period, of_minute)) {
      if (start < first || start >= end || !is_open()) continue;
      ++counted;
      if (start >= from) starts.push_back(start);
    }
  }
  return starts;
}

namespace {

std::int64_t count_of(local_seconds at) { return at.time_since_epoch().count(); }

local_seconds shown(const TimeZone& zone, Instant at) {
  return local_seconds(seconds(at.seconds + zone.ahead(at)));
}

Instant end_of(const Repetition& repetition, const TimeZone& zone, local_seconds start,
               Instant begins) {
  if (repetition.length) return begins + *repetition.length;
  local_seconds end = std::chrono::floor<days>(start) + repetition.ends_at;
  if (end <= start) end += days(1);
  return moment_of(zone, count_of(end)).at;
}

// One that is moved may come behind others.
void merge_equal_starts(std::vector<Occurrence>& list) {
  std::stable_sort(list.begin(), list.end(), [](const Occurrence& a, const Occurrence& b) {
    return a.window.start < b.window.start;
  });
  const auto repeated = [](const Occurrence& a, const Occurrence& b) {
    return a.window.start == b.window.start;
  };
  list.erase(std::unique(list.begin(), list.end(), repeated), list.end());
}

} // namespace

Occurrences occurrences_of(const Repetition& repetition, const TimeZone& zone, Instant before,
                           std::size_t most, local_seconds after) {
  auto rule = repetition.rule;
  if (rule.until && rule.until->is_utc)
    rule.until = RepeatUntil{shown(zone, {count_of(rule.until->at)}), false};
  auto end = shown(zone, before) + days(1); // clocks may be set back until then
  if (repetition.last) end = std::min(end, *repetition.last + seconds(1));
  Occurrences all;
  std::set<local_days> skipped(repetition.skipped.begin(), repetition.skipped.end());
  auto unused = skipped;
  const auto from = after == local_seconds::min() ? after : after + seconds(1);
  for (const auto start : starts_of(rule, repetition.first, end, most, from)) {
    const auto [begins, moved] = moment_of(zone, count_of(start));
    if (begins >= before) continue;
    all.last = start;
    const auto day = std::chrono::floor<days>(start);
    unused.erase(day);
    if (skipped.contains(day)) {
      all.skipped.push_back(start);
      continue;
    }
    const Window window{begins, end_of(repetition, zone, start, begins)};
    if (window.end <= window.start) all.dropped.push_back(start);
    else all.list.push_back({start, window, moved});
  }
  merge_equal_starts(all.list);
  all.not_skipped.assign(unused.begin(), unused.end());
  return all;
}

std::optional<std::size_t> first_overlap(const std::vector<Occurrence>& list) {
  for (std::size_t i = 1; i < list.size(); ++i)
    if (list[i].window.start < list[i - 1].window.end) return i;
  return std::nullopt;
}

} // namespace almanac
