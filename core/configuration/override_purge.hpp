// qconf -purge: the values that a host or a host group has of its own in a cluster queue go, and the
// default holds there again (spec/cli.md C8.20).
#pragma once

#include "core/configuration/value_change.hpp"

namespace almanac {

/// For a change with the verb purge_values: its object's name is "queue@host" or "queue@@group", its
/// attributes are those whose values go, "*" is all of them. What has no such value is noted, and is
/// no failure.
Result<DecidedValues> decide_purge(const Configuration& configuration,
                                   const ConfigurationChange& change);

} // namespace almanac
