// Reservations as plus_* commands show them (spec/plus.md section 3; share/schemas/plus.xsd).
#pragma once

#include "schema/door/views.hpp"

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace almanac {

/// Held, Confirm, HeldModify, HeldCancel, HeldDestroy, Running, Canceled or Expired (spec/plus.md
/// section 4). One that is deleted and waits for its jobs is Canceled.
std::string plus_state(const door::ReservationView& reservation);

/// The hosts of what is granted, or held, by name.
std::vector<std::string> plus_nodes(const door::ReservationView& reservation);

enum class PlusNodes { counted, named };
/// Nothing at all where there is none.
void print_plus_table(std::ostream& out, const std::vector<door::ReservationView>& list,
                      PlusNodes nodes);
void print_plus_xml(std::ostream& out, const std::vector<door::ReservationView>& list);
/// One, as the answer of plus_reserve.
void print_plus_xml(std::ostream& out, const door::ReservationView& reservation);
/// Of plus_availnodes.
void print_plus_nodes_xml(std::ostream& out, const std::vector<std::string>& nodes);

} // namespace almanac
