// When something comes again: a rule in the form of RFC 5545, as far as reservations need it
// (spec/beyond.md section 5.1).
#pragma once

#include "core/base/result.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace almanac {

enum class Frequency : std::uint8_t { daily, weekly, monthly, yearly };

/// MO, or of a month: 2MO is its second Monday, -1MO its last one.
struct NumberedWeekday {
  int number = 0; ///< 0: each one; else -5 to 5
  std::chrono::weekday day;
};

/// The last moment at which something may begin.
struct RepeatUntil {
  std::chrono::local_seconds at;
  bool is_utc = false; ///< written with Z; else by the wall clock of the zone
};

/// Lists are ascending and name nothing twice; an empty one leaves it to the first occurrence.
struct RepeatRule {
  Frequency frequency = Frequency::daily;
  int interval = 1; ///< 1 to 999
  int count = 0;    ///< 1 to 9999; 0: not given
  std::optional<RepeatUntil> until;
  std::chrono::weekday week_start = std::chrono::Monday;
  std::vector<int> months;     ///< 1 to 12
  std::vector<int> month_days; ///< 1 to 31, or -1 to -31 from the end
  std::vector<NumberedWeekday> days;
  std::vector<int> hours;     ///< 0 to 23
  std::vector<int> minutes;   ///< 0 to 59
  std::vector<int> positions; ///< 1 to 366, or from the end; of a period's occurrences
};

/// Reads at most 1 KB. What is wrong is named with the part that it stands in, and with what is
/// allowed there.
Result<RepeatRule> parse_repeat_rule(std::string_view text);

} // namespace almanac
