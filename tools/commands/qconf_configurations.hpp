// qconf -sconf -mconf -aconf -dconf -Aconf -Mconf -sconfl: the configuration of the cell, and what a
// host has of its own instead (spec/cli.md section 8, spec/objects.md section 7). qconf -sunused: what is
// stored and has no effect.
#pragma once

#include "tools/commands/context.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& configuration_verbs();

/// The exit status; nothing if the option is another one.
std::optional<int> run_configuration_verb(Context& context, const std::string& option,
                                          const std::vector<std::string>& values);

} // namespace almanac
