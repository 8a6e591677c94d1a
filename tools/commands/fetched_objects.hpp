// Objects of the configuration, as the master has them.
#pragma once

#include "core/configuration/objects/object.hpp"
#include "tools/commands/context.hpp"

#include <vector>

namespace almanac {

/// Adds all of the kind to `objects`; the exit status of asking for them.
int fetch_objects(Context& context, ObjectKind kind, std::vector<ConfigurationObject>& objects);

} // namespace almanac
