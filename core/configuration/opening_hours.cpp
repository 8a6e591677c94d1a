#include "core/configuration/opening_hours.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

namespace almanac {

namespace {

constexpr std::int64_t day_length = 86400;
constexpr std::array<std::string_view, 7> day_names{"mon", "tue", "wed", "thu",
                                                    "fri", "sat", "sun"};
constexpr std::array<std::string_view, 12> month_names{"jan", "feb", "mar", "apr", "may", "jun",
                                                       "jul", "aug", "sep", "oct", "nov", "dec"};

template <class Names>
std::optional<std::int64_t> place_in(const Names& names, std::string_view w) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (equal_ignoring_case(names[i], w)) return static_cast<std::int64_t>(i);
  return std::nullopt;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// h[:m[:s]], 0 to 24 hours.
Result<std::int64_t> second_of_day(const std::string& text) {
  const auto parts = split(text, ':');
  std::int64_t seconds = 0, unit = 3600;
  const Error wrong{"\"" + text + "\" is not a time of day, 0 to 24"};
  if (parts.empty() || parts.size() > 3) return wrong;
  for (std::size_t i = 0; i < parts.size(); ++i, unit /= 60) {
    const auto number = parse_number(parts[i]);
    if (!number || *number > (i == 0 ? 24 : 59)) return wrong;
    seconds += *number * unit;
  }
  if (seconds > day_length) return wrong;
  return seconds;
}

struct TimeRange {
  std::int64_t from = 0, to = day_length;
};

Result<std::vector<TimeRange>> time_ranges(const std::string& text) {
  std::vector<TimeRange> ranges;
  for (const auto& word : split(text, ',')) {
    const auto dash = word.find('-');
    if (dash == std::string::npos) return Error{"\"" + word + "\" is not a range of times"};
    auto from = second_of_day(word.substr(0, dash)), to = second_of_day(word.substr(dash + 1));
    if (!from) return from.error();
    if (!to) return to.error();
    if (*from == *to) return Error{"\"" + word + "\" begins where it ends"};
    if (*from < *to) ranges.push_back({*from, *to});
    else {
      if (*to > 0) ranges.push_back({0, *to});
      if (*from < day_length) ranges.push_back({*from, day_length});
    }
  }
  return ranges;
}

std::optional<Opening> state_named(std::string_view word) {
  if (equal_ignoring_case(word, "on")) return Opening::on;
  if (equal_ignoring_case(word, "off")) return Opening::off;
  if (equal_ignoring_case(word, "suspended")) return Opening::suspended;
  return std::nullopt;
}

// An entry cut at its '='. What stands first decides what it is: a state, times, or days.
struct Entry {
  std::string days; ///< "": every day
  std::vector<TimeRange> times;
  Opening state = Opening::off;
};

bool are_times(const std::string& text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9' &&
         text.find('.') == std::string::npos;
}

Result<Entry> read_entry(const std::string& text) {
  Entry entry;
  auto parts = split(text, '=');
  if (const auto state = state_named(parts.back())) {
    entry.state = *state;
    parts.pop_back();
  }
  entry.times = {TimeRange{}};
  if (!parts.empty() && are_times(parts.back())) {
    auto times = time_ranges(parts.back());
    if (!times) return times.error();
    entry.times = *times;
    parts.pop_back();
  }
  if (!parts.empty()) {
    entry.days = parts.back();
    parts.pop_back();
    if (entry.days.empty()) return Error{"\"" + text + "\": days are missing"};
  }
  if (!parts.empty()) return Error{"\"" + text + "\" is not days=times=state"};
  return entry;
}

// d.m.yyyy as days since the epoch.
Result<std::int64_t> date(const std::string& text) {
  const Error wrong{"\"" + text + "\" is not a date, day.month.year"};
  const auto parts = split(text, '.');
  if (parts.size() != 3) return wrong;
  const auto day = parse_number(parts[0]), year = parse_number(parts[2]);
  auto month = parse_number(parts[1]);
  if (const auto named = place_in(month_names, parts[1])) month = *named + 1;
  if (!day || !month || !year || *day > 31 || *month > 12 || *year < 1970 || *year > 9999)
    return wrong;
  const std::chrono::year_month_day when{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!when.ok()) return wrong;
  return std::int64_t{std::chrono::sys_days(when).time_since_epoch().count()};
}

Result<std::set<std::int64_t>> week_days(const std::string& text) {
  std::set<std::int64_t> days;
  for (const auto& range : split(text, ',')) {
    const auto dash = range.find('-');
    const auto first = place_in(day_names, range.substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : place_in(day_names, range.substr(dash + 1));
    if (!first || !last)
      return Error{"\"" + range + "\" is not a day of the week or a range of them"};
    if (dash != std::string::npos && *first == *last)
      return Error{"\"" + range + "\" begins where it ends"};
    for (auto day = *first;; day = (day + 1) % 7) {
      days.insert(day);
      if (day == *last) break;
    }
  }
  return days;
}

Result<std::set<std::int64_t>> year_days(const std::string& text) {
  constexpr std::int64_t longest = 366 * 10;
  std::set<std::int64_t> days;
  for (const auto& range : split(text, ',')) {
    const auto dash = range.find('-');
    auto first = date(range.substr(0, dash));
    auto last = dash == std::string::npos ? first : date(range.substr(dash + 1));
    if (!first) return first.error();
    if (!last) return last.error();
    if (*last < *first) return Error{"\"" + range + "\" ends before it begins"};
    if (*last - *first > longest) return Error{"\"" + range + "\" is longer than ten years"};
    for (auto day = *first; day <= *last; ++day) days.insert(day);
  }
  return days;
}

std::vector<std::string> entries_of(const std::string& text) {
  return equal_ignoring_case(trim(text), "NONE") ? std::vector<std::string>() : words(text, " \t");
}

} // namespace

OpeningHours::Day OpeningHours::laid_over(const std::vector<Area>& areas) {
  std::set<std::int64_t> limits{0};
  for (const auto& area : areas) {
    limits.insert(area.from);
    if (area.to < day_length) limits.insert(area.to);
  }
  Day day;
  for (const auto from : limits) {
    bool off = false, suspended = false, on = false;
    for (const auto& area : areas) {
      if (from < area.from || from >= area.to) continue;
      (area.state == Opening::on ? on : area.state == Opening::off ? off : suspended) = true;
    }
    const auto state = on || (!off && !suspended) ? Opening::on
                       : suspended                ? Opening::suspended
                                                  : Opening::off;
    if (day.empty() || day.back().state != state) day.push_back({from, state});
  }
  return day;
}

Outcome OpeningHours::read_week(const std::string& text) {
  std::array<std::vector<Area>, 7> areas;
  for (const auto& word : entries_of(text)) {
    auto entry = read_entry(word);
    if (!entry) return entry.error();
    std::set<std::int64_t> days{0, 1, 2, 3, 4, 5, 6};
    if (!entry->days.empty()) {
      auto named = week_days(entry->days);
      if (!named) return named.error();
      days = *named;
    }
    for (const auto day : days)
      for (const auto& range : entry->times)
        areas.at(static_cast<std::size_t>(day)).push_back({range.from, range.to, entry->state});
  }
  for (std::size_t day = 0; day < 7; ++day) week_.at(day) = laid_over(areas.at(day));
  return Done{};
}

Outcome OpeningHours::read_year(const std::string& text) {
  std::map<std::int64_t, std::vector<Area>> areas;
  std::vector<Area> always;
  for (const auto& word : entries_of(text)) {
    auto entry = read_entry(word);
    if (!entry) return entry.error();
    if (entry->days.empty()) {
      whole_year_ = true;
      for (const auto& range : entry->times) always.push_back({range.from, range.to, entry->state});
      continue;
    }
    auto days = year_days(entry->days);
    if (!days) return days.error();
    for (const auto day : *days)
      for (const auto& range : entry->times)
        areas[day].push_back({range.from, range.to, entry->state});
  }
  every_day_ = laid_over(always);
  for (auto& [day, list] : areas) {
    list.insert(list.end(), always.begin(), always.end());
    year_[day] = laid_over(list);
  }
  return Done{};
}

Result<OpeningHours> OpeningHours::parse(const ConfigurationObject& object) {
  OpeningHours hours;
  if (auto valid = valid_object_name(object.name); !valid) return valid.error();
  const auto text = [&](const char* name) {
    const auto* value = object.find(name);
    return value ? *value : std::string("NONE");
  };
  if (auto read = hours.read_week(text("week")); !read)
    return Error{"attribute \"week\": " + read.what()};
  if (auto read = hours.read_year(text("year")); !read)
    return Error{"attribute \"year\": " + read.what()};
  return hours;
}

const OpeningHours::Day& OpeningHours::day(std::int64_t number) const {
  if (const auto it = year_.find(number); it != year_.end()) return it->second;
  if (whole_year_) return every_day_;
  const auto weekday = ((number + 3) % 7 + 7) % 7; // the first day of the epoch was a Thursday
  return week_.at(static_cast<std::size_t>(weekday));
}

// As far as the part of the day, or the clock itself, stays the same.
OpeningHours::Stretch OpeningHours::stretch(Instant from, const TimeZone& zone) const {
  const auto local = from.seconds + zone.ahead(from);
  const auto number = floor_div(local, day_length);
  const auto second = local - number * day_length;
  const auto& parts = day(number);
  auto it = std::upper_bound(parts.begin(), parts.end(), second,
                             [](std::int64_t s, const Part& part) { return s < part.from; });
  const auto to = it == parts.end() ? day_length : it->from;
  return {std::prev(it)->state,
          std::min(Instant{from.seconds + to - second}, zone.next_change(from))};
}

Opening OpeningHours::at(Instant instant, const TimeZone& zone) const {
  return stretch(instant, zone).state;
}

Instant OpeningHours::next_change(Instant after, const TimeZone& zone) const {
  const auto first = stretch(after, zone);
  for (auto at = first.until; at < after + horizon;) {
    const auto next = stretch(at, zone);
    if (next.state != first.state) return at;
    at = next.until;
  }
  return Instant::never();
}

std::vector<Closure> OpeningHours::closures(Window window, const TimeZone& zone) const {
  std::vector<Closure> found;
  for (auto at = window.start; at < window.end;) {
    const auto part = stretch(at, zone);
    const auto until = std::min(part.until, window.end);
    if (part.state != Opening::on) {
      if (!found.empty() && found.back().window.end == at && found.back().state == part.state)
        found.back().window.end = until;
      else found.push_back({{at, until}, part.state});
    }
    at = until;
  }
  return found;
}

} // namespace almanac
