// Attributes that a configuration of Grid Engine has and that mean nothing here, so that its files can
// be loaded: they are kept and shown, and have no effect. What would change something that is not
// built is taken only with a value that means that it is off (ruling in spec/rulings.md).
#pragma once

#include "core/configuration/objects/object.hpp"

#include <optional>

namespace almanac {

/// Whether objects of the kind may have such an attribute that nothing here looks at.
bool is_foreign(ObjectKind kind, const std::string& attribute);

/// Whether the attribute may be kept with this value; else why not.
Outcome check_foreign(ObjectKind kind, const Attribute& attribute);

/// Why the value has no effect, in a few words; nothing for one that has an effect, and for a default
/// of ours that changes nothing.
std::optional<std::string> why_unused(ObjectKind kind, const Attribute& attribute);

} // namespace almanac
