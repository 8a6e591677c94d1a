// The attribute switches of qconf: parts of the value of an attribute of some objects.
#pragma once

#include "tools/commands/commands.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& attribute_verbs();

/// The exit code; nothing for an option that is not in the list.
std::optional<int> run_attribute_verb(Context& context, const std::string& option,
                                      const std::vector<std::string>& values);

} // namespace almanac
