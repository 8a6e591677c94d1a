// The command lines of qrsub (spec/reservations.md section 6) and qralter (spec/beyond.md section 12).
#pragma once

#include "core/request/command.hpp"
#include "core/request/reserve_table.hpp"

namespace almanac {

Result<ReserveOptions> parse_reservation(const std::vector<std::string>& arguments,
                                         const ToInstant& to_instant);

struct AlterationOptions {
  AlterReservation command;
  bool verify = false; ///< -w v
  bool help = false;
};
/// Without an option that changes something, nothing is named in the command.
Result<AlterationOptions> parse_alteration(const std::vector<std::string>& arguments,
                                           const ToInstant& to_instant);

} // namespace almanac
