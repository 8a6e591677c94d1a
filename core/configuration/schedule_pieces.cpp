#include "core/configuration/schedule_pieces.hpp"

#include "core/text/numbers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace almanac {

namespace {

constexpr std::int64_t day = 24 * 3600;
constexpr int pieces = 8; // in which the size that is kept is used up

std::optional<int> digits(std::string_view text) {
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  const auto number = parse_number(text);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

} // namespace

std::string schedule_piece_name(Instant last_run) {
  const std::chrono::sys_seconds at{std::chrono::seconds(last_run.seconds)};
  const auto midnight = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{midnight};
  const std::chrono::hh_mm_ss time{at - midnight};
  char name[64];
  std::snprintf(name, sizeof name, "schedule.%04d%02u%02uT%02d%02d%02d",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
  return name;
}

std::optional<Instant> last_run_in(std::string_view name) {
  constexpr std::string_view example = "schedule.20261125T201501";
  if (name.size() != example.size()) return std::nullopt;
  const auto number = [&](std::size_t from, std::size_t length) {
    return digits(name.substr(from, length));
  };
  const auto year = number(9, 4), month = number(13, 2), date = number(15, 2);
  const auto hour = number(18, 2), minute = number(20, 2), second = number(22, 2);
  if (!year || !month || !date || !hour || !minute || !second) return std::nullopt;
  const std::chrono::sys_days midnight{std::chrono::year(*year) / *month / *date};
  const Instant at{midnight.time_since_epoch().count() * day + *hour * 3600 + *minute * 60 +
                   *second};
  if (schedule_piece_name(at) != name) return std::nullopt; // the 31st of February, another prefix
  return at;
}

bool becomes_piece(const SchedulePiece& file, std::int64_t next_run, Instant now,
                   const Retention& retention) {
  if (file.bytes == 0) return false;
  const auto most = (retention.megabytes << 20) / pieces;
  return file.last_run.seconds / day != now.seconds / day ||
         (most > 0 && file.bytes + next_run > most);
}

std::vector<Instant> pieces_to_remove(std::vector<SchedulePiece> pieces, std::int64_t bytes_of_file,
                                      Instant now, const Retention& retention) {
  std::sort(pieces.begin(), pieces.end(),
            [](const auto& a, const auto& b) { return a.last_run > b.last_run; });
  std::vector<Instant> gone;
  auto bytes = bytes_of_file; // of a piece and all that is newer
  for (const auto& piece : pieces) {
    bytes += piece.bytes;
    if (!retention.keeps(piece.last_run, bytes, now)) gone.push_back(piece.last_run);
  }
  return gone;
}

} // namespace almanac
