// qconf -shgrp_tree -shgrp_resolved: what is in a host group (spec/cli.md C8.5).
#pragma once

#include "tools/commands/context.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& host_group_verbs();

/// The exit status; nothing if the option is another one.
std::optional<int> run_host_group_verb(Context& context, const std::string& option,
                                       const std::vector<std::string>& values);

} // namespace almanac
