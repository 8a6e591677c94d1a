// The lines of a file of records, of any length: accounting and reporting files of years.
#pragma once

#include "core/base/result.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace almanac {

/// Hands over each line that is not empty and no remark, in the order of the file; it lives until `take`
/// returns. A crash or a full disk leaves a torn line: what `take` finds wrong is told to `warn` with
/// its number, and the others count. It is an error where none is sound. The error names the file.
Outcome each_record_line(const std::string& path,
                         const std::function<Outcome(std::string_view line)>& take,
                         const std::function<void(const std::string&)>& warn);

} // namespace almanac
