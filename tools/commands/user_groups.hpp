// The groups of users whom a reservation or a question names.
#pragma once

#include "core/reservation/reservation_request.hpp"
#include "tools/commands/context.hpp"

namespace almanac {

/// Access lists may name groups, and the master asks nobody who is in them: the client says it of
/// plain users. The error names who is not known here.
Outcome find_groups(Context& context, ReservationRequest& request);
/// Of plain users among the words, at most `most`: who is not known here is left out.
std::vector<Attribute> known_groups(const Context& context, const std::vector<std::string>& words,
                                    std::size_t most);

} // namespace almanac
