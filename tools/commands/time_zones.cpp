#include "tools/commands/time_zones.hpp"

#include "core/reservation/recurrence.hpp"
#include "core/text/names.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>

namespace almanac {

namespace {

constexpr std::int64_t day = 86400;
constexpr Duration ahead{40 * 366 * day};
constexpr const char* zone_files = "/usr/share/zoneinfo";

// ---- a rule for the years to come: "CET-1CEST,M3.5.0,M10.5.0/3" ------------------------------------

// A day of each year, and a time of it.
struct YearlyDay {
  enum class Form { week_of_month, without_leap_day, with_leap_day } form{};
  int month = 0, week = 0, weekday = 0; ///< of the first form: week 5 is the last one
  int number = 0;                       ///< of the others: of the day
  std::int64_t time = 7200;             ///< seconds

  std::int64_t in(int year) const { // as the clock before the change has it
    using namespace std::chrono;
    const auto count = [](local_days date) { return date.time_since_epoch().count() * day; };
    if (form == Form::week_of_month) {
      const auto which = std::chrono::weekday(static_cast<unsigned>(weekday));
      const auto in_month = std::chrono::year(year) / month;
      return time + (week == 5 ? count(local_days(in_month / which[last]))
                               : count(local_days(in_month / which[static_cast<unsigned>(week)])));
    }
    const bool leaps = form == Form::without_leap_day && std::chrono::year(year).is_leap();
    const int past = form == Form::with_leap_day ? number : number - 1 + (leaps && number >= 60);
    return time + count(local_days(std::chrono::year(year) / 1 / 1)) + past * day;
  }
};

struct YearlyRule {
  std::int64_t standard = 0, summer = 0; ///< seconds ahead of UTC
  std::optional<YearlyDay> begins, ends; ///< of summer time
};

class RuleReader {
public:
  explicit RuleReader(std::string_view text) : rest_(text) {}

  std::optional<YearlyRule> read() {
    YearlyRule rule;
    if (!skip_name() || !read_offset(rule.standard)) return std::nullopt;
    rule.summer = rule.standard + 3600;
    if (rest_.empty()) return rule;
    if (!skip_name()) return std::nullopt;
    if (!rest_.empty() && rest_.front() != ',' && !read_offset(rule.summer)) return std::nullopt;
    YearlyDay begins, ends;
    if (!take(',') || !read_day(begins) || !take(',') || !read_day(ends) || !rest_.empty())
      return std::nullopt;
    rule.begins = begins, rule.ends = ends;
    return rule;
  }

private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool skip_name() {
    if (take('<')) {
      const auto close = rest_.find('>');
      if (close == std::string_view::npos) return false;
      rest_.remove_prefix(close + 1);
      return true;
    }
    std::size_t size = 0;
    while (size < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[size]))) ++size;
    rest_.remove_prefix(size);
    return size > 0;
  }
  bool read_number(int& into) {
    if (rest_.empty() || !std::isdigit(static_cast<unsigned char>(rest_.front()))) return false;
    for (into = 0;
         !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) && into < 1000;
         rest_.remove_prefix(1))
      into = into * 10 + (rest_.front() - '0');
    return true;
  }
  // [+-]hh[:mm[:ss]]
  bool read_time(std::int64_t& into) {
    const bool negative = take('-');
    if (!negative) take('+');
    int part = 0;
    if (!read_number(part)) return false;
    into = part * 3600;
    for (const int unit : {60, 1}) {
      if (!take(':')) break;
      if (!read_number(part)) return false;
      into += part * unit;
    }
    if (negative) into = -into;
    return true;
  }
  // Written as what has to be added to get UTC.
  bool read_offset(std::int64_t& into) {
    if (!read_time(into)) return false;
    into = -into;
    return into > -day && into < day;
  }
  bool read_day(YearlyDay& into) {
    bool fits = false;
    if (take('M')) {
      fits = read_number(into.month) && take('.') && read_number(into.week) && take('.') &&
             read_number(into.weekday) && into.month >= 1 && into.month <= 12 && into.week >= 1 &&
             into.week <= 5 && into.weekday <= 6;
    } else {
      into.form = take('J') ? YearlyDay::Form::without_leap_day : YearlyDay::Form::with_leap_day;
      fits = read_number(into.number) && into.number <= 365;
    }
    return fits && (!take('/') || read_time(into.time));
  }

  std::string_view rest_;
};

// ---- the file -----------------------------------------------------------------------------------------

// Bytes from the front, big end first; too few are noted.
class ByteReader {
public:
  explicit ByteReader(std::string_view content) : rest_(content) {}

  std::string_view take(std::size_t count) {
    if (rest_.size() < count) {
      is_short_ = true;
      count = rest_.size();
    }
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::int64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    const auto taken = take(bytes);
    for (const char c : taken) value = value << 8 | static_cast<unsigned char>(c);
    if (bytes == 4) return static_cast<std::int32_t>(value);
    return static_cast<std::int64_t>(value);
  }
  std::string_view rest() const { return rest_; }
  bool is_short() const { return is_short_; }

private:
  std::string_view rest_;
  bool is_short_ = false;
};

struct Counts {
  std::size_t utc, standard, leaps, changes, types, letters;
  std::size_t size(std::size_t of_time) const {
    return changes * (of_time + 1) + types * 6 + letters + leaps * (of_time + 4) + standard + utc;
  }
};

std::optional<Counts> read_header(ByteReader& bytes) {
  constexpr std::int64_t most = 100'000;
  if (bytes.take(4) != "TZif") return std::nullopt;
  if (bytes.take(16).substr(0, 1) < "2") return std::nullopt;
  std::size_t counts[6];
  for (auto& count : counts) {
    const auto read = bytes.number(4);
    if (read < 0 || read > most) return std::nullopt;
    count = static_cast<std::size_t>(read);
  }
  return Counts{counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
}

struct ZoneFile {
  std::vector<ZoneChange> changes;
  std::int64_t first = 0; ///< seconds ahead before all of them
  std::string_view rule;
};

std::optional<ZoneFile> read_file(std::string_view content) {
  ByteReader bytes(content);
  const auto old = read_header(bytes);
  if (!old) return std::nullopt;
  bytes.take(old->size(4));
  const auto counts = read_header(bytes);
  if (!counts || counts->types == 0 || counts->leaps > 0) return std::nullopt;
  ZoneFile file;
  for (std::size_t i = 0; i < counts->changes; ++i) file.changes.push_back({{bytes.number(8)}, 0});
  const auto types = bytes.take(counts->changes);
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i < counts->types; ++i) {
    offsets.push_back(bytes.number(4));
    bytes.take(2);
  }
  bytes.take(counts->letters + counts->standard + counts->utc);
  if (bytes.is_short()) return std::nullopt;
  for (std::size_t i = 0; i < file.changes.size(); ++i) {
    const auto type = static_cast<unsigned char>(types[i]);
    if (type >= offsets.size()) return std::nullopt;
    file.changes[i].ahead = offsets[type];
  }
  file.first = offsets.front();
  const auto rest = bytes.rest();
  const auto end = rest.find('\n', 1);
  if (end != std::string_view::npos) file.rule = rest.substr(1, end - 1);
  return file;
}

void add_years(std::vector<ZoneChange>& changes, const YearlyRule& rule, Instant behind,
               Instant until) {
  if (!rule.begins) return;
  const auto year_of = [](Instant at) {
    const std::chrono::sys_seconds moment{std::chrono::seconds(at.seconds)};
    return static_cast<int>(
        std::chrono::year_month_day{std::chrono::floor<std::chrono::days>(moment)}.year());
  };
  std::vector<ZoneChange> yearly;
  for (int year = year_of(behind); year <= year_of(until); ++year) {
    yearly.push_back({{rule.begins->in(year)-rule.standard}, rule.summer});
    yearly.push_back({{rule.ends->in(year)-rule.summer}, rule.standard});
  }
  std::sort(yearly.begin(), yearly.end(),
            [](const ZoneChange& a, const ZoneChange& b) { return a.from < b.from; });
  for (const auto& change : yearly)
    if (change.from > behind && change.from < until) changes.push_back(change);
}

} // namespace

Result<TimeZone> read_zone(std::string_view content, Instant from) {
  const auto file = read_file(content);
  if (!file) return Error{"not a time zone file"};
  std::vector<ZoneChange> all{{{std::numeric_limits<std::int64_t>::min()}, file->first}};
  all.insert(all.end(), file->changes.begin(), file->changes.end());
  if (!file->rule.empty()) {
    const auto rule = RuleReader(file->rule).read();
    if (!rule) return Error{"a time zone file with an unknown rule"};
    const auto year_before = from - Duration{366 * day}; // what holds at first began then
    add_years(all, *rule, std::max(year_before, all.back().from), from + ahead);
  }
  TimeZone zone{{{from, 0}}};
  for (const auto& change : all)
    if (change.from <= from) zone.changes.front().ahead = change.ahead;
    else if (change.from < from + ahead && change.ahead != zone.changes.back().ahead)
      zone.changes.push_back(change);
  return zone;
}

namespace {

// "Europe/Berlin" of "/usr/share/zoneinfo/Europe/Berlin".
std::string name_in(const std::string& path) {
  const std::string folder = "zoneinfo/";
  const auto at = path.rfind(folder);
  return at == std::string::npos ? "" : path.substr(at + folder.size());
}

// What the C library takes for the local time.
std::string name_of_own(const Context& context) {
  if (const auto* given = context.variable("TZ"); given && !given->empty()) {
    const auto name = given->front() == ':' ? given->substr(1) : *given;
    return name.starts_with('/') ? name_in(name) : name;
  }
  std::error_code error;
  if (!std::filesystem::exists("/etc/localtime", error)) return "UTC";
  return name_in(std::filesystem::read_symlink("/etc/localtime", error).string());
}

// Files beside the zones: what a host takes for its own, or has before anybody has chosen.
bool means_no_place(const std::string& name) {
  return name == "localtime" || name == "posixrules" || name == "Factory";
}

} // namespace

Result<NamedZone> find_zone(const Context& context, const std::string& name) {
  const auto wanted = name.empty() ? name_of_own(context) : name;
  if (name.empty() && !is_zone_name(wanted))
    return Error{"-repeat needs -zone: the local time zone has no name"};
  if (wanted == "UTC") return NamedZone{wanted, {}};
  const Error unknown{"option -zone \"" + excerpt(wanted) + "\": unknown time zone"};
  if (!is_zone_name(wanted) || means_no_place(wanted)) return unknown;
  const auto* folder = context.variable("TZDIR");
  const auto content = read_text_file((folder ? *folder : zone_files) + ("/" + wanted));
  if (!content) return unknown;
  auto zone = read_zone(*content, context.now() - Duration{2 * day});
  if (!zone) return unknown;
  return NamedZone{wanted, std::move(*zone)};
}

} // namespace almanac
