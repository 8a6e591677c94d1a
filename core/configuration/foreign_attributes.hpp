// Attributes that a configuration of Grid Engine has and this one has not, so that its files can be
// loaded: they are kept and shown, and have no effect. What would have one there is taken only with
// a value that means that it is off (ruling in spec/rulings.md).
#pragma once

#include "core/configuration/objects/object.hpp"

namespace almanac {

/// Whether objects of the kind may have such an attribute that nothing here looks at.
bool is_foreign(ObjectKind kind, const std::string& attribute);

/// Whether the attribute may be kept with this value; else why not.
Outcome check_foreign(ObjectKind kind, const Attribute& attribute);

} // namespace almanac
