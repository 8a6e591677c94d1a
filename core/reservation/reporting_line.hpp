// A line of the reporting file (spec/reservations.md section 13.2).
#pragma once

#include "core/reservation/reporting_record.hpp"

#include <string>

namespace almanac {

/// Fields separated by colons, the time and the kind in front; a colon or a line break in what users
/// have written becomes '_'. What is empty of PE and resources is NONE.
std::string reporting_line(const ReportingRecord& record);

} // namespace almanac
