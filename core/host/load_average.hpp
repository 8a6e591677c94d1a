// Averages and use that complexes of hosts report (spec/objects.md section 2).
#pragma once

#include "core/host/host.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace almanac {

/// "load_avg", "np_load_short", "cpu": which of what a host reports it is, in hundredths and of all
/// processors together; nullptr: another complex.
std::int64_t HostLoad::*reported_by(std::string_view complex);

/// What it comes to, in millionths, with so many more for all processors together: a complex that begins
/// with np_ counts for each of them. Nothing where it is another complex, or not known.
std::optional<std::int64_t> load_average(const HostState& host, std::string_view complex,
                                         std::int64_t more = 0);

} // namespace almanac
