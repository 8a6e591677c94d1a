// What became of each slot-second as people and programs read it (spec/beyond.md section 9).
#pragma once

#include "schema/door/replies.hpp"

#include <iosfwd>
#include <vector>

namespace almanac {

/// The parts in slot-seconds, a line each, and their sum.
void print_cell_usage(std::ostream& out, const CellUsage& cell);
/// A row for each reservation; nothing at all where there is none.
void print_usage_table(std::ostream& out, const std::vector<door::ReservationUsageView>& rows);
/// The whole report as one object, a line; local times as ISO 8601, figures in slot-seconds.
void print_usage_json(std::ostream& out, const door::UsageReport& report);

} // namespace almanac
