// What qalter may change of a job.
#pragma once

#include <string>

namespace almanac {

/// Whether it may change what this option of qsub says.
bool can_be_altered(const std::string& option);

} // namespace almanac
