// What the records of an earlier format become in this one.
#pragma once

#include "schema/store/keys.hpp"

#include <string_view>
#include <vector>

namespace almanac::store {

/// From format 1 to 2: a job lay in one record with its tasks. What replaces that record, its tasks
/// first; nothing for one that can't be read, which stays as it is. A second time it is the same.
std::vector<Write> job_in_format_2(std::string_view key, std::string_view value);

} // namespace almanac::store
