// Objects that are written in $EDITOR (spec/cli.md C8.26). Who may change nothing hears it before the
// editor starts, and what was typed is not lost where it is wrong (edited_text.hpp).
#pragma once

#include "core/configuration/objects/object.hpp"
#include "tools/commands/context.hpp"

#include <string>

namespace almanac {

/// The exit status. `name` "": the template's. A new exec host begins as the one of that name is.
int add_in_editor(Context& context, ObjectKind kind, const std::string& name);

/// The exit status. What somebody else has changed meanwhile is not written over.
int modify_in_editor(Context& context, ObjectKind kind, const std::string& name);

} // namespace almanac
