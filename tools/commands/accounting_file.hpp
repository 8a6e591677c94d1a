// An accounting file of this cell, or of a Grid Engine, as qacct -f reads it.
#pragma once

#include "core/job/accounting_filter.hpp"

#include <functional>
#include <string>

namespace almanac {

/// Hands over what the filter wants, in the order of the file. A line that is no record is told to
/// `warn` with its number, and the others are read, as Grid Engine does; it is an error where none
/// is one. The error names the file; what was handed over before stays so.
Outcome read_accounting_file(const std::string& path, const AccountingFilter& filter,
                             const std::function<void(const AccountingRecord&)>& use,
                             const std::function<void(const std::string&)>& warn);

} // namespace almanac
