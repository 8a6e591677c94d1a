// As much of a line of the accounting file as a filter asks about, without reading the rest: a history
// of years has millions of lines, most of which nobody wants.
#pragma once

#include "core/job/accounting_filter.hpp"

#include <string_view>

namespace almanac {

/// The error is that of parse_accounting_line(). What a number of the line cannot be read as is 0.
Result<AccountingGlance> accounting_glance(std::string_view line);

} // namespace almanac
