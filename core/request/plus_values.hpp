// Values of the options of plus_* commands (spec/plus.md section 2, Argument formats).
//
// The error says what is wrong with the value, without naming it.
#pragma once

#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "core/request/read_columns.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// When the command runs, and what a date means where it runs.
struct PlusClock {
  Instant now;
  ToInstant to_instant;
};

/// [[CC]YY]MMDDhhmm[.SS]; YYYY-MM-DDThh:mm:ss, perhaps with Z or +hh:mm; now; +DURATION; @EPOCH.
/// From 1970 to the end of 9999.
Result<Instant> parse_plus_time(std::string_view text, const PlusClock& clock);

/// Seconds; [h:]m:s; 2d, 3h, 10m, 5s and sums of these: 1d12h. 0 to a hundred years.
Result<Duration> parse_plus_duration(std::string_view text);

/// R123 or 123; never 0.
Result<ReservationNumber> parse_plus_id(std::string_view text);

/// Names between commas: at least one, none empty, each without blanks and control characters.
Result<std::vector<std::string>> parse_plus_names(std::string_view text);

/// Users and @lists between commas, each once.
Result<std::vector<std::string>> parse_plus_users(std::string_view text);

/// A number of bytes above 0 with K, M or G behind it, or without: it stays as it is written.
Result<std::string> parse_plus_memory(std::string_view text);

/// A whole number in these bounds.
Result<std::int64_t> parse_plus_count(std::string_view text, std::int64_t least, std::int64_t most);

} // namespace almanac
