// qconf -ah -dh -sh -as -ds -ss: the hosts from which requests are taken (spec/objects.md, Admin
// hosts, submit hosts).
#pragma once

#include "tools/commands/context.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& host_verbs();

/// The exit status; nothing if the option is another one.
std::optional<int> run_host_verb(Context& context, const std::string& option,
                                 const std::vector<std::string>& values);

} // namespace almanac
