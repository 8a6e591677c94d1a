// What all switches of qconf that change something have in common.
#pragma once

#include "tools/commands/context.hpp"

#include <functional>

namespace almanac {

/// Makes the change, or, after -w v, asks what it would do; prints the answer, as `amend` leaves it.
/// The exit code.
int change_configuration(Context& context, ConfigureCommand command,
                         const std::function<void(Answer&)>& amend = {});

/// Before somebody types for nothing: whoever may change no configuration hears it. 0: the caller may.
int refuse_others_than_managers(Context& context);

} // namespace almanac
