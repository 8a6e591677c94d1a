#include "core/reservation/recurrence.hpp"

#include "core/base/fingerprint.hpp"
#include "core/base/last_second.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace almanac {

namespace {

constexpr std::int64_t day = 86400;
constexpr std::size_t most_changes = 1'000, most_skipped = 1'000, longest_zone = 64;

std::chrono::local_seconds local(std::int64_t at) {
  return std::chrono::local_seconds(std::chrono::seconds(at));
}

bool is_wall_clock(std::int64_t at) { return at >= 0 && at <= last_second; }

bool are_changes(const std::vector<ZoneChange>& changes) {
  const auto is_one = [](const ZoneChange& change) {
    return change.from.seconds >= -last_second && change.from.seconds <= last_second &&
           change.ahead > -day && change.ahead < day;
  };
  const auto not_after = [](const ZoneChange& a, const ZoneChange& b) { return a.from >= b.from; };
  return std::all_of(changes.begin(), changes.end(), is_one) &&
         std::adjacent_find(changes.begin(), changes.end(), not_after) == changes.end();
}

} // namespace

bool Recurrence::operator==(const Recurrence& other) const {
  return fingerprint(*this) == fingerprint(other);
}

bool is_zone_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '+' || c == '/';
  };
  return !name.empty() && name.size() <= longest_zone && name.front() != '/' &&
         std::all_of(name.begin(), name.end(), fits);
}

Outcome valid(const Recurrence& r) {
  if (r.rule.empty() || r.zone.empty()) return Error{"a series needs a rule and a time zone"};
  return valid_parts(r);
}

Outcome valid_parts(const Recurrence& r) {
  if (!r.rule.empty())
    if (const auto rule = parse_repeat_rule(r.rule); !rule) return rule.error();
  if (!is_wall_clock(r.first) || !is_wall_clock(r.until))
    return Error{"a series begins and ends between 1970 and 9999"};
  if (r.ends_at < 0 || r.ends_at > day) return Error{"the end of a series is a time of day"};
  if (r.skipped.size() > most_skipped)
    return Error{"at most " + std::to_string(most_skipped) + " days can be skipped"};
  for (const auto skipped : r.skipped)
    if (skipped < 0 || skipped > last_second / day)
      return Error{"a day to skip is not between 1970 and 9999"};
  if (!r.zone.empty() && !is_zone_name(r.zone)) return Error{"unknown time zone"};
  if (r.zone_changes.size() > most_changes || !are_changes(r.zone_changes))
    return Error{"the changes of the time zone's clock are not in order"};
  return Done{};
}

Repetition repetition_of(const Recurrence& r, Duration length) {
  const auto rule = parse_repeat_rule(r.rule);
  check(rule.ok(), "a recurrence was found valid");
  Repetition repetition;
  repetition.rule = *rule;
  if (r.until != 0) repetition.last = local(r.until);
  repetition.first = local(r.first);
  if (r.ends_at > 0) repetition.ends_at = std::chrono::seconds(r.ends_at);
  else repetition.length = length;
  for (const auto skipped : r.skipped) repetition.skipped.emplace_back(std::chrono::days(skipped));
  return repetition;
}

std::string print_wall_clock(std::int64_t at) {
  const auto midnight = std::chrono::floor<std::chrono::days>(local(at));
  const std::chrono::year_month_day date{midnight};
  const auto second = at - midnight.time_since_epoch().count() * day;
  char text[64];
  const int size =
      std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(second / 3600), static_cast<int>(second / 60 % 60));
  std::string printed(text, static_cast<std::size_t>(size));
  if (second % 60 == 0) return printed;
  std::snprintf(text, sizeof text, ":%02d", static_cast<int>(second % 60));
  return printed + text;
}

namespace {

std::string print_until(std::int64_t at) {
  auto text = print_wall_clock(at);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return ";UNTIL=" + text + (at % 60 == 0 ? "00" : "");
}

bool names_until(const std::string& part) {
  constexpr std::string_view name = "UNTIL";
  return std::equal(name.begin(), name.end(), part.begin(),
                    part.begin() + static_cast<std::ptrdiff_t>(std::min(part.size(), name.size())),
                    [](char a, char b) { return a == (b & ~0x20); });
}

} // namespace

std::string print_rule(const Recurrence& r) {
  const auto rule = parse_repeat_rule(r.rule);
  if (r.until == 0 || !rule || (rule->until && rule->until->at <= local(r.until))) return r.rule;
  std::string text;
  for (const auto& part : split(r.rule, ';'))
    if (!names_until(part)) text += (text.empty() ? "" : ";") + part;
  return text + print_until(r.until);
}

} // namespace almanac
