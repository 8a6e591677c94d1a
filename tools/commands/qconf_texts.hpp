// What qconf prints of objects, and says of those that are not there: in Grid Engine's words, for which
// programs look.
#pragma once

#include "core/configuration/objects/object.hpp"
#include "tools/commands/context.hpp"

#include <string>

namespace almanac {

/// As `qconf -s…` prints it: long lines are broken unless SGE_SINGLE_LINE is set (spec/cli.md section 2).
std::string shown(const Context& context, const ConfigurationObject& object);
/// The same of what is no object of its own, such as a queue instance: with the attributes that it has.
std::string shown_as_it_is(const Context& context, const ConfigurationObject& object);

/// There is none of the kind; the exit status.
int none_defined(Context& context, ObjectKind kind);
/// There is none of this name; the exit status.
int no_such_object(Context& context, ObjectKind kind, const std::string& name);

} // namespace almanac
