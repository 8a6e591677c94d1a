// Reads what print_exit_record() has written. It is apart from that since a shepherd, which runs as
// root, only writes.
#pragma once

#include "core/job/exit_record.hpp"

#include <string>

namespace almanac {

/// An error where a field is missing.
Result<ExitRecord> parse_exit_record(const std::string& text);

} // namespace almanac
