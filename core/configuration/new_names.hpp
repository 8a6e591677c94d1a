// What no new object, and no new user or host of a list, may be called (spec/objects.md, common file
// format): words and characters that have a meaning where names stand. Stored objects with such names
// stay, and can be deleted.
#pragma once

#include "core/configuration/objects/object.hpp"

#include <string_view>

namespace almanac {

/// NONE is an empty list, ALL and TEMPLATE are Grid Engine's keywords, too, in any letter case; a
/// line that begins with '#' is a comment.
Outcome check_new_name(ObjectKind kind, std::string_view name);

/// The names and shortcuts of rows that `before`, the stored table, has not: a request ("a=1",
/// "a>1") can't name one with an operator in it. `before` may be null.
Outcome check_new_complexes(const ConfigurationObject* before, const ConfigurationObject& table);

} // namespace almanac
