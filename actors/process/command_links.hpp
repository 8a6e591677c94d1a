// Where scripts and an MPI look for our commands: $SGE_ROOT/bin/$ARC (spec/client-contract.md C13).
#pragma once

#include "core/base/result.hpp"

#include <string>

namespace almanac {

/// Makes root/bin/ARC a link to the folder of the commands, if it is none yet.
Outcome link_commands(const std::string& root, const std::string& binaries);

} // namespace almanac
