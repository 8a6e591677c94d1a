// An object as a file describes it.
#pragma once

#include "core/configuration/objects/object.hpp"

#include <string>

namespace almanac {

/// Its name is an attribute of it, where the kind has names.
Result<ConfigurationObject> read_object(ObjectKind kind, const std::string& text);

/// Hosts are the same in any case.
bool is_called(const ConfigurationObject& object, const std::string& name);

} // namespace almanac
