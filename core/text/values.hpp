// Values as users write them: numbers, times, memory, switches (spec/cli.md section 2).
#pragma once

#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/text/numbers.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace almanac {

/// The id of a reservation: "12" or "R12" (ruling in spec/rulings.md).
Result<ReservationNumber> parse_reservation_id(std::string_view text);
/// Of a queue that means a reservation: R123, and never 123.
std::optional<ReservationNumber> parse_reservation_queue(std::string_view name);

/// "h:m:s" with empty parts as 0, whole seconds (also 0x10, 020), or INFINITY. Never negative.
Result<Duration> parse_duration(std::string_view text);
/// Of s, m, h or d; 0: it is none of them.
std::int64_t seconds_of_unit(char letter);
/// hh:mm:ss, hours unbounded; INFINITY.
std::string print_duration(Duration value);

/// Bytes: a number (also 0x10, 020) with k (1000), K (1024), m, M, g, G, t, T; or INFINITY, the
/// largest number.
Result<std::int64_t> parse_memory(std::string_view text);
std::string print_memory(std::int64_t bytes);

/// Millionths: "1.5" is 1'500'000. At most nine digits before the point count beyond overflow
/// checks.
Result<std::int64_t> parse_millionths(std::string_view text);
/// With six decimals.
std::string print_millionths(std::int64_t value);

/// TRUE, FALSE, 1, 0, y[es], n[o] in any case.
Result<bool> parse_switch(std::string_view text);

/// Whether this may be the name of a host or an address in digits: letters, digits, '.', ':', '-'
/// and '_', at most 255 of them.
bool is_host_or_address(std::string_view text);

/// A date as written in [[CC]YY]MMDDhhmm[.SS], not yet in any time zone.
struct DateTime {
  int year = -1; ///< -1: not given, the current year is meant
  int month = 1, day = 1, hour = 0, minute = 0, second = 0;
};
Result<DateTime> parse_date_time(std::string_view text);

} // namespace almanac
