// The queue instances that a wc_queue means: "all.q", "*@h1", "all.q@@group*" (spec/cli.md section 2).
#pragma once

#include "core/configuration/configuration.hpp"

#include <string>
#include <vector>

namespace almanac {

/// In their order; none where nothing has such a name. Valid as long as the configuration is.
std::vector<const QueueInstance*> named_instances(const Configuration& configuration,
                                                  const std::string& wanted);

} // namespace almanac
