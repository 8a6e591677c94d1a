// People know a reservation by its name, where Grid Engine takes only its number (qsub -ar course).
#pragma once

#include "tools/commands/context.hpp"

namespace almanac {

/// Asks the master once for each name. A series counts before its occurrences, which have the same
/// name. An error where several have it: it lists their numbers.
ReservationCalled find_reservation_by_name(const Context& context);

} // namespace almanac
