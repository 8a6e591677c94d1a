// The options of qrsub (spec/reservations.md section 6).
#pragma once

#include "core/request/submit_options.hpp"
#include "core/reservation/reservation.hpp"

namespace almanac {

struct ReserveOptions {
  ReservationRequest request;
  bool verify = false; ///< -w v
  bool help = false;
};

Result<ReserveOptions>
parse_reservation(const std::vector<std::string>& arguments,
                  const std::function<Result<Instant>(const DateTime&)>& to_instant);

} // namespace almanac
