// How the policy language writes times (spec/plus.md section 7, P7.47 and P7.48).
#pragma once

#include "core/policy/classad/value.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace almanac {

/// `yyyy-mm-ddThh:mm:ss[.fff][±hh:mm]`. One without an offset is at that of `zone`, or UTC. Nothing
/// where it is malformed, and where both an offset and a zone are given.
std::optional<AbsTime> read_abs_time(std::string_view text, std::optional<std::int32_t> zone);

/// `[-][days+]hh:mm[:ss[.fff]]`, sums of `7d`, `3h`, `10m`, `5s`, or plain seconds.
std::optional<RelTime> read_rel_time(std::string_view text);

/// Whether an offset is one: less than a day, whole minutes.
bool is_zone(std::int64_t seconds);

/// These read back as the same. A time outside of the years 1 to 9999 is shown as seconds.
std::string print_abs_time(const AbsTime& time);
std::string print_rel_time(double seconds);

} // namespace almanac
