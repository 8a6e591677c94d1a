// Hosts in the words of a command, by the names that the cell knows (host_aliases,
// core/text/host_aliases.hpp).
#pragma once

#include "core/text/host_aliases.hpp"
#include "tools/commands/context.hpp"

#include <string>
#include <vector>

namespace almanac {

/// The words with other names of hosts replaced where the command takes hosts or queue instances.
std::vector<std::string> with_official_hosts(const std::string& command,
                                             std::vector<std::string> words,
                                             const HostAliases& aliases);

/// The same with those of the cell. A file that is not there, or cannot be read, has none.
void use_official_hosts(Context& context);

} // namespace almanac
