// The command line of qrsub (spec/reservations.md section 6).
#pragma once

#include "core/request/reserve_table.hpp"

namespace almanac {

Result<ReserveOptions> parse_reservation(const std::vector<std::string>& arguments,
                                         const ToInstant& to_instant);

} // namespace almanac
