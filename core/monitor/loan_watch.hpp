// Whether what a reservation lends is its own (core/reservation/loan.hpp), as records show it.
#pragma once

#include "core/records/records.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// What is wrong with what the reservation lends. `tasks`: those in it. What a task holds beyond its
/// limit is not counted: nobody gives that away.
std::optional<std::string> broken_loan(const Records& records, const Reservation& lender,
                                       const std::vector<const Task*>& tasks);

} // namespace almanac
