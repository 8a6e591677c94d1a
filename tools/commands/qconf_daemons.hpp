// qconf -tsm -ks -kt -at -sep -secl, and what is refused of -ke… and -km: the scheduler and the daemons
// of a cell (spec/cli.md C8.18, C8.21, C8.22).
//
// Daemons are started and stopped by the service manager of their host: the master is a plain user, who
// may end no process of another host.
#pragma once

#include "tools/commands/context.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& daemon_verbs();

/// The exit status; nothing if the option is another one.
std::optional<int> run_daemon_verb(Context& context, const std::string& option,
                                   const std::vector<std::string>& values);

} // namespace almanac
