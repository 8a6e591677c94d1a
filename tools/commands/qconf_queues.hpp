// qconf -sq -sds -purge -cq: cluster queues and their instances (spec/cli.md C8.1, C8.20).
#pragma once

#include "tools/commands/context.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& queue_verbs();

/// The exit status; nothing if the option is another one.
std::optional<int> run_queue_verb(Context& context, const std::string& option,
                                  const std::vector<std::string>& values);

} // namespace almanac
