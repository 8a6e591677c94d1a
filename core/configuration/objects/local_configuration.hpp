// What a host has of its own instead of what the global configuration says (spec/objects.md section 7,
// the attributes with a mark under "local"). It has only what was given: there are no defaults.
#pragma once

#include "core/configuration/objects/kind.hpp"

namespace almanac {

/// The global configuration as it holds on the host.
ConfigurationObject merged_with(const ConfigurationObject& local,
                                const ConfigurationObject& global);

/// Whether a host may have a value of its own.
bool may_be_local(std::string_view attribute);

Kind local_configuration_kind();

} // namespace almanac
