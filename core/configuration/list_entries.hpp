// Names that come to a list and leave it: managers, operators, users of an access list, hosts.
#pragma once

#include "core/configuration/change.hpp"

#include <string>

namespace almanac {

/// The entries of a list after adding or removing names; they keep their order. The error says what
/// Grid Engine says of a name that is there already, or is missing. A new one is no keyword
/// (new_names.hpp): NONE is how an empty list is written.
Result<std::string> edited_entries(const ConfigurationObject& object,
                                   const ConfigurationChange& change);

} // namespace almanac
