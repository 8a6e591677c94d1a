// The command line of qrsub (spec/reservations.md section 6).
#pragma once

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

} // namespace almanac
