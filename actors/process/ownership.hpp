// Whose the files of a daemon are. Who may change them is as good as the daemon itself, so it does
// not start with what anybody else could have changed.
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Files and folders below `directory` ("": itself; absolute paths are taken as they are).
struct OwnFiles {
  std::vector<std::string> closed; ///< nobody else may write them
  std::vector<std::string> secret; ///< nor read them
};

/// All belong to this process's user and are closed to others, or which one is not, and the way
/// out. What does not exist is not looked at: who needs it says so.
Outcome check_ownership(const std::string& directory, const OwnFiles& files);

} // namespace almanac
