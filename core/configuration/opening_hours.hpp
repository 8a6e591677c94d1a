// When queues are open: calendar objects (spec/objects.md section 5).
//
// 1. A day that the year names is governed by the year alone, any other by the week.
// 2. Where entries overlap, on beats suspended and suspended beats off; what none covers is on.
// 3. A range whose second time is the earlier one means both ends of the same day.
// 4. Times are those of wall clocks; a range ends before its second time.
#pragma once

#include "core/base/result.hpp"
#include "core/base/time_zone.hpp"
#include "core/configuration/objects/object.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace almanac {

enum class Opening : std::uint8_t { on, off, suspended };
template <> inline constexpr Opening last_of<Opening> = Opening::suspended;

/// A time during which a queue does not take jobs.
struct Closure {
  Window window;
  Opening state = Opening::off;
};

class OpeningHours {
public:
  static Result<OpeningHours> parse(const ConfigurationObject& object);

  Opening at(Instant instant, const TimeZone& zone) const;
  /// When the state changes next; looks at most `horizon` ahead, never if it finds nothing.
  Instant next_change(Instant after, const TimeZone& zone) const;
  /// Everything but on, ascending; neighbours with different states are two.
  std::vector<Closure> closures(Window window, const TimeZone& zone) const;

  static constexpr Duration horizon{2 * 366 * 86400};

private:
  /// From a second of the day on; begins at 0.
  struct Part {
    std::int64_t from = 0;
    Opening state = Opening::on;
  };
  using Day = std::vector<Part>;
  /// What entries say of one day, before they are laid over each other.
  struct Area {
    std::int64_t from = 0, to = 0;
    Opening state = Opening::off;
  };
  struct Stretch {
    Opening state = Opening::on;
    Instant until;
  };
  static Day laid_over(const std::vector<Area>& areas);
  Outcome read_week(const std::string& text);
  Outcome read_year(const std::string& text);
  const Day& day(std::int64_t number) const;
  Stretch stretch(Instant from, const TimeZone& zone) const;

  std::array<Day, 7> week_;          ///< from Monday
  std::map<std::int64_t, Day> year_; ///< by days since the epoch
  bool whole_year_ = false;          ///< the year says something of every day
  Day every_day_;
};

} // namespace almanac
