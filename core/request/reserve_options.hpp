// The command lines of qrsub (spec/reservations.md section 6) and qralter (spec/beyond.md section 12).
#pragma once

#include "core/request/command.hpp"
#include "core/request/reserve_table.hpp"

namespace almanac {

/// What may stand there and in files of options.
const std::vector<OptionRule>& reserve_option_rules();

/// `defaults` come before the arguments, which win; `options_of` looks into files that are
/// named (-@), nowhere without it.
Result<ReserveOptions>
parse_reservation(const std::vector<std::string>& arguments, const ToInstant& to_instant,
                  const OptionsOf& options_of = {},
                  const std::vector<std::vector<GivenOption>>& defaults = {});

struct AlterationOptions {
  AlterReservation command;
  bool verify = false; ///< -w v and -w p
  bool price = false;  ///< -w p
  bool help = false;
  SeriesOptions series{}; ///< what is said of a series, as it is written
  std::string key_file{}; ///< with the key of the reservation (-reskey); "": none
};
/// Without an option that changes something, nothing is named in the command.
Result<AlterationOptions> parse_alteration(const std::vector<std::string>& arguments,
                                           const ToInstant& to_instant,
                                           const ReservationCalled& called = {});

} // namespace almanac
