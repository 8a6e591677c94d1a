// A change that was found (reservation_change) is carried out.
#pragma once

#include "core/planning/reservation_change.hpp"

namespace almanac::rules {

/// All of it, with what it means for jobs in the reservation; the answer is for who asked. The hook is not
/// called where the site has agreed to it before.
Answer carry_out(State& state, const Caller& caller, const ReservationChange& change, Instant now);

/// These jobs get a user hold, and their owners hear of it; and so does who asked.
std::vector<Statement> hold(State& state, std::vector<HeldJob> jobs);

} // namespace almanac::rules
