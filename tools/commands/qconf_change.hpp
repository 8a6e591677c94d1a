// What all switches of qconf that change something have in common.
#pragma once

#include "tools/commands/context.hpp"

namespace almanac {

/// Makes the change, or, after -w v, asks what it would do; prints the answer. The exit code.
int change_configuration(Context& context, ConfigureCommand command);

} // namespace almanac
