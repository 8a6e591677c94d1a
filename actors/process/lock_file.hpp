// Only one process works in a folder: a lock on a file in it, held until the last process that has
// the file open ends.
#pragma once

#include "core/base/result.hpp"

#include <string>

namespace almanac {

/// The open file, closed by an exec. Waits some seconds for one that was killed just now; the error
/// names `folder`.
Result<int> lock_file(const std::string& path, const std::string& folder);

} // namespace almanac
