// qconf -aattr -dattr -mattr -rattr, and -Aattr … with a file: parts of the value of an attribute of
// some objects (spec/cli.md C8.19).
#pragma once

#include "tools/commands/context.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& attribute_verbs();

/// The exit status; nothing if the option is another one.
std::optional<int> run_attribute_verb(Context& context, const std::string& option,
                                      const std::vector<std::string>& values);

} // namespace almanac
