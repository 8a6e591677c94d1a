// A line of the accounting file: 45 fields separated by colons (spec/cli.md section 11).
#pragma once

#include "core/job/accounting_record.hpp"

#include <string>

namespace almanac {

std::string accounting_line(const AccountingRecord& record);
Result<AccountingRecord> parse_accounting_line(const std::string& line);

} // namespace almanac
