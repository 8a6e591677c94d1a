// What tasks use while they run, in the units of Grid Engine (spec/cli.md sections 6.1 and 6.4).
#pragma once

#include "core/job/task_usage.hpp"

#include <string>

namespace almanac {

/// "0:00:01:40": days, hours, minutes, seconds.
std::string processor_time(const TaskUsage& usage);
/// Memory times seconds of processor time, with five decimals.
std::string gigabyte_seconds(const TaskUsage& usage);
std::string gigabytes_of_io(const TaskUsage& usage); ///< likewise

} // namespace almanac
