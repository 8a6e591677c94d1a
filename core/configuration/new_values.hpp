// What a change may not write although a store that holds it is read: values that would change
// nothing here, or mean nothing (ruling in spec/rulings.md: refused with a clear text).
#pragma once

#include "core/configuration/complex.hpp"

namespace almanac {

/// For an object as a change makes it.
Outcome check_new_values(const ConfigurationObject& object, const ComplexTable& complexes);

} // namespace almanac
