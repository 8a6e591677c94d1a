// Standing reservations as people and programs read them (spec/beyond.md B5.409).
#pragma once

#include "schema/door/views.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace almanac {

/// A line each, with a head; nothing at all where there is none.
void print_series_table(std::ostream& out, const std::vector<door::SeriesView>& list);
/// The occurrences of one that do not fit, behind those that are reservations.
void print_conflicts(std::ostream& out, const door::SeriesView& series);
/// `unknown`: what was named and is none.
void print_series_xml(std::ostream& out, const std::vector<door::SeriesView>& list,
                      const std::vector<std::string>& unknown);
void print_series_json(std::ostream& out, const std::vector<door::SeriesView>& list,
                       const std::vector<std::string>& unknown);

} // namespace almanac
