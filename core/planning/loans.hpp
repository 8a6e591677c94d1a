// What reservations lend (core/reservation/loan.hpp) follows what becomes of them
// (spec/metascheduler.md M4.11).
//
// A lender that ends or has less lends less, and the borrower keeps what it has; a borrower that
// ends or has less gives its lenders their room back. In both cases no more is booked than before.
#pragma once

#include "core/matching/lent_room.hpp"
#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

/// What the reservation still lends: what it has beside its tasks, and the borrowers have beside other
/// loans. Tasks that are past their time are over.
std::vector<Loan> kept_loans(const State& state, const Reservation& lender);

/// Of a reservation that was just put.
void lend(State& state, const std::vector<LentBy>& loans);

} // namespace almanac::rules
