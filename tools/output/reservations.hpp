// Reservations as people and programs read them (spec/reservations.md section 8).
#pragma once

#include "schema/door/views.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace almanac {

enum class Reasons { left_out, shown }; ///< of the states W and E: -explain

/// Nothing at all where there is none.
void print_reservation_table(std::ostream& out, const std::vector<door::ReservationView>& list,
                             Reasons reasons);
/// One of -ar, with all that is set.
void print_reservation(std::ostream& out, const door::ReservationView& reservation);

/// What an element of the XML holds: a line of the table, or all that is set.
enum class XmlDetail { line, line_with_reasons, all };
/// `unknown`: what was named and is none.
void print_reservations_xml(std::ostream& out, const std::vector<door::ReservationView>& list,
                            XmlDetail detail, const std::vector<std::string>& unknown);

void print_reservations_json(std::ostream& out, const std::vector<door::ReservationView>& list,
                             XmlDetail detail, const std::vector<std::string>& unknown);

/// For scripts: a line each, with tabs between id, name, owner, state, start and end in seconds since
/// 1970, slots, granted slots list and parallel environment; behind these the reasons, if they are
/// shown.
void print_reservation_columns(std::ostream& out, const std::vector<door::ReservationView>& list,
                               Reasons reasons);

} // namespace almanac
