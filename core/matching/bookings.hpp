// What is booked for the slots that were granted: of each container that limits them, its share.
//
// Amounts are in millionths for all resources but slots. Source: spec/scheduling.md sections 4.2 and
// 7.4 (S7.14).
#pragma once

#include "core/matching/consumptions.hpp"

#include <string>
#include <vector>

namespace almanac {

/// What the grants take, the master's first, in the order of containers and resources. All their
/// instances are in the configuration.
std::vector<Booking> bookings_of(const Configuration& configuration,
                                 const std::vector<Consumption>& consumptions,
                                 const std::string& pe, const std::vector<Grant>& grants);

/// Whether all that the demand has booked there would be free in the window.
bool is_free(const Supply& supply, const Demand& demand, const std::vector<Booking>& bookings,
             Window window);

} // namespace almanac
