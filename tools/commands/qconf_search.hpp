// qconf -sobjl: which objects have a value (spec/cli.md C8.23).
#pragma once

#include "tools/commands/context.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& search_verbs();

/// The exit status; nothing if the option is another one.
std::optional<int> run_search_verb(Context& context, const std::string& option,
                                   const std::vector<std::string>& values);

} // namespace almanac
