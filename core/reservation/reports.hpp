// What a change of a reservation adds to the reporting file: of the table of transitions the column
// "log record" (spec/reservations.md section 4.3), and what leaves a reservation before its end
// (spec/beyond.md B0.67).
//
// It follows from the two records alone, so whatever changes a reservation is told of.
#pragma once

#include "core/reservation/reporting_record.hpp"
#include "core/reservation/reservation.hpp"

#include <vector>

namespace almanac {

/// In their order, without number and time. nullptr: it was not, or is not there. Nothing of one that
/// is only proposed.
std::vector<ReportingRecord> reports_of(const Reservation* before, const Reservation* after);

} // namespace almanac
