// Objects as `qconf -s…` prints them, with long lines broken (spec/cli.md section 2).
//
// 1. A line that would be longer than 80 characters is broken where the value's list goes on, and ends
//    with a backslash. What cannot be broken stays as long as it is.
// 2. Whoever reads it puts one blank where the line was broken. In lists that blank means nothing, and
//    unfolded_value() takes it away; in other values a line is broken at a blank only.
// 3. Tables of complexes and quota sets have forms of their own, and are not broken.
#pragma once

#include "core/configuration/objects/kind.hpp"

#include <string>
#include <string_view>

namespace almanac {

enum class LongLines { broken, whole };

/// With the attributes that the object has, in their order.
std::string print_folded(const ConfigurationObject& object, LongLines lines = LongLines::broken);

/// The value of an attribute of the kind without the blanks behind the commas of its list.
std::string unfolded_value(ObjectKind kind, std::string_view attribute, std::string_view value);

} // namespace almanac
