// The complex attributes that every cell has.
#pragma once

#include "core/base/attribute.hpp"

#include <vector>

namespace almanac {

const std::vector<Attribute>& built_in_complexes();

} // namespace almanac
