// People know a reservation by its name, where Grid Engine takes only its number (qsub -ar course).
#pragma once

#include "tools/commands/context.hpp"

namespace almanac {

/// For SubmitSite: asks the master once for each name. A series counts before its occurrences, which
/// have the same name. An error where several have it: it lists their numbers.
std::function<Result<std::optional<ReservationNumber>>(const std::string& name)>
find_reservation_by_name(const Context& context);

} // namespace almanac
